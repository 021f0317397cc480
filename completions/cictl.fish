# cictl completion for fish: cictl completion fish | source
function __cictl_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found (cictl __complete -- $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c cictl -f -a '(__cictl_complete)'
