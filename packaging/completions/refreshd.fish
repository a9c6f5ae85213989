function __refreshd_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __refreshd_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __refreshd_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __refreshd_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __refreshd_parse_tokens -S
    set -l unparsed_tokens (__refreshd_tokens -pc)
    switch $unparsed_tokens[1]
    case 'refreshd'
        __refreshd_parse_subcommand 0 'listen=+' 'admin=+' 'loops=' 'config=' 'demo' 'conformance-echo' 'dpkg-status=' 'log-level=' 'log-format=' 'journal=' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'init'
            __refreshd_parse_subcommand 1 'output=' 'version' 'h/help'
        case 'check-config'
            __refreshd_parse_subcommand 0 'listen=+' 'admin=+' 'loops=' 'config=' 'demo' 'conformance-echo' 'dpkg-status=' 'log-level=' 'log-format=' 'journal=' 'version' 'h/help'
        case 'print-config'
            __refreshd_parse_subcommand 0 'schema' 'show-secrets' 'listen=+' 'admin=+' 'loops=' 'config=' 'demo' 'conformance-echo' 'dpkg-status=' 'log-level=' 'log-format=' 'journal=' 'version' 'h/help'
        case 'help'
            __refreshd_parse_subcommand -r 1 'version'
        end
    end
end

function __refreshd_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __refreshd_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __refreshd_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __refreshd_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__refreshd_tokens -p)
    if test -z "$(__refreshd_tokens -t)"
        set -l index (count (__refreshd_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'refreshd' -f
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd"' -l 'listen' -d 'Accept connections at this address; may be repeated. (default: 127.0.0.1:8080)' -rfka ''
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd"' -l 'admin' -d 'Serve operators at this loopback address; may be repeated. (default: none)' -rfka ''
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd" loops' -l 'loops' -d 'The number of event loops. (default: one per core)' -rfka ''
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd" config' -l 'config' -d 'Read listeners, limits, feeds and backends from this YAML file.' -rfa '(set -l exts \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd" demo' -l 'demo' -d 'Also serve the demo page; without --config it is always served.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd" conformance-echo' -l 'conformance-echo' -d 'Serve /echo for WebSocket conformance tests, on loopback only.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd" dpkg-status' -l 'dpkg-status' -d 'The package list for the demo. (default: /var/lib/dpkg/status)' -rF
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd" log-level' -l 'log-level' -d 'The least severe level that is logged. (default: info)' -rfka 'trace debug info notice warning error critical'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd" log-format' -l 'log-format' -d 'The format of log lines. (default: text)' -rfka 'text json'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd" journal' -l 'journal' -d 'Record every session into its own file in this folder.' -rfa '(__refreshd_complete_directories)'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd" version' -l 'version' -d 'Show the version.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_positional "refreshd" -eq 1' -fa 'init' -d 'Write a commented configuration file for a kind of backend.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_positional "refreshd" -eq 1' -fa 'check-config' -d 'Validate what the daemon reads at its start, and report every error.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_positional "refreshd" -eq 1' -fa 'print-config' -d 'Print the configuration in effect as YAML, without its secrets.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_positional "refreshd" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_positional "refreshd init" -eq 1' -fka 'demo file http sqlite exec worker script client'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd init" output' -l 'output' -d 'The file to write; - is standard output.' -rfa '(set -l exts \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd init" version' -l 'version' -d 'Show the version.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd init" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd check-config"' -l 'listen' -d 'Accept connections at this address; may be repeated. (default: 127.0.0.1:8080)' -rfka ''
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd check-config"' -l 'admin' -d 'Serve operators at this loopback address; may be repeated. (default: none)' -rfka ''
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd check-config" loops' -l 'loops' -d 'The number of event loops. (default: one per core)' -rfka ''
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd check-config" config' -l 'config' -d 'Read listeners, limits, feeds and backends from this YAML file.' -rfa '(set -l exts \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd check-config" demo' -l 'demo' -d 'Also serve the demo page; without --config it is always served.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd check-config" conformance-echo' -l 'conformance-echo' -d 'Serve /echo for WebSocket conformance tests, on loopback only.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd check-config" dpkg-status' -l 'dpkg-status' -d 'The package list for the demo. (default: /var/lib/dpkg/status)' -rF
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd check-config" log-level' -l 'log-level' -d 'The least severe level that is logged. (default: info)' -rfka 'trace debug info notice warning error critical'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd check-config" log-format' -l 'log-format' -d 'The format of log lines. (default: text)' -rfka 'text json'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd check-config" journal' -l 'journal' -d 'Record every session into its own file in this folder.' -rfa '(__refreshd_complete_directories)'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd check-config" version' -l 'version' -d 'Show the version.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd check-config" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd print-config" schema' -l 'schema' -d 'Print the JSON Schema (2020-12) of the configuration file instead, for editors.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd print-config" show-secrets' -l 'show-secrets' -d 'Print secrets too, so that the output is a complete configuration file.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd print-config"' -l 'listen' -d 'Accept connections at this address; may be repeated. (default: 127.0.0.1:8080)' -rfka ''
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd print-config"' -l 'admin' -d 'Serve operators at this loopback address; may be repeated. (default: none)' -rfka ''
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd print-config" loops' -l 'loops' -d 'The number of event loops. (default: one per core)' -rfka ''
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd print-config" config' -l 'config' -d 'Read listeners, limits, feeds and backends from this YAML file.' -rfa '(set -l exts \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd print-config" demo' -l 'demo' -d 'Also serve the demo page; without --config it is always served.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd print-config" conformance-echo' -l 'conformance-echo' -d 'Serve /echo for WebSocket conformance tests, on loopback only.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd print-config" dpkg-status' -l 'dpkg-status' -d 'The package list for the demo. (default: /var/lib/dpkg/status)' -rF
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd print-config" log-level' -l 'log-level' -d 'The least severe level that is logged. (default: info)' -rfka 'trace debug info notice warning error critical'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd print-config" log-format' -l 'log-format' -d 'The format of log lines. (default: text)' -rfka 'text json'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd print-config" journal' -l 'journal' -d 'Record every session into its own file in this folder.' -rfa '(__refreshd_complete_directories)'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd print-config" version' -l 'version' -d 'Show the version.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd print-config" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refreshd' -n '__refreshd_should_offer_completions_for_flags_or_options "refreshd help" version' -l 'version' -d 'Show the version.'
