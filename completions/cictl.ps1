# cictl completion for PowerShell: cictl completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName cictl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
    if ($wordToComplete -eq '') { $words += '' }
    cictl __complete '--' @words 2>$null | ForEach-Object {
        $text, $summary = $_ -split "`t", 2
        if (-not $summary) { $summary = $text }
        $typed = $text
        # Quote candidates with shell characters, because anyone may have chosen the names.
        if ($text -match '[^\w@%+=:./#^-]' -or $text -match '^[@#]') { $typed = "'" + $text.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($typed, $text, 'ParameterValue', $summary)
    }
}
