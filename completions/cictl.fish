# cictl completion for fish: cictl completion fish | source
function __cictl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    # The word without its quotes, if they are closed.
    set -l typed (string unescape -- "$current"; or printf '%s\n' "$current")
    set -l found (cictl __complete -- $words[2..-1] "$typed" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c cictl -f -k -a '(__cictl_complete)'
