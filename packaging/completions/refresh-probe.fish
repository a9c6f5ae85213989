function __refresh-probe_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __refresh-probe_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __refresh-probe_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __refresh-probe_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __refresh-probe_parse_tokens -S
    set -l unparsed_tokens (__refresh-probe_tokens -pc)
    switch $unparsed_tokens[1]
    case 'refresh-probe'
        __refresh-probe_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'run'
            __refresh-probe_parse_subcommand -r 1 'url=' 'ca=' 'json' 'verbose' 'latency=' 'seed=' 'jobs=' 'version' 'h/help'
        case 'conform'
            __refresh-probe_parse_subcommand -r 1 'url=' 'ca=' 'listen=' 'driver=' 'case=+' 'group=+' 'cases=+' 'list' 'timeout=' 'jobs=' 'json' 'verbose' 'junit=' 'html=' 'version' 'h/help'
        case 'load'
            __refresh-probe_parse_subcommand 0 'url=+' 'pid=' 'against=' 'against-pid=' 'connections=' 'threads=' 'seconds=' 'warm-up=' 'ramp=' 'closed' 'reconnect' 'rate=' 'speed=' 'pause=' 'gesture=+' 'trace=+' 'list' 'feed=' 'token=' 'ca=' 'seed=' 'json' 'version' 'h/help'
        case 'record'
            __refresh-probe_parse_subcommand 0 'listen=' 'forward=' 'journal=' 'ca=' 'keep-tokens' 'json' 'version' 'h/help'
        case 'replay'
            __refresh-probe_parse_subcommand 1 'url=' 'ca=' 'speed=' 'timeout=' 'token=' 'context=' 'json' 'version' 'h/help'
        case 'new-scenario'
            __refresh-probe_parse_subcommand 1 'output=' 'token=' 'json' 'version' 'h/help'
        case 'watch'
            __refresh-probe_parse_subcommand 0 'url=' 'session=' 'feed=' 'token=' 'cluster' 'json' 'version' 'h/help'
        case 'plot'
            __refresh-probe_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'sheet'
                __refresh-probe_parse_subcommand 1 'out=' 'language=' 'dark' 'json' 'version' 'h/help'
            case 'session'
                __refresh-probe_parse_subcommand 1 'out=' 'width=' 'dark' 'json' 'version' 'h/help'
            case 'spinner'
                __refresh-probe_parse_subcommand 0 'out=' 'language=' 'dark' 'json' 'version' 'h/help'
            case 'indicator'
                __refresh-probe_parse_subcommand 0 'out=' 'language=' 'dark' 'json' 'version' 'h/help'
            case 'path'
                __refresh-probe_parse_subcommand 0 'out=' 'language=' 'dark' 'json' 'version' 'h/help'
            case 'letters'
                __refresh-probe_parse_subcommand 0 'out=' 'language=' 'dark' 'json' 'version' 'h/help'
            case 'compass'
                __refresh-probe_parse_subcommand 0 'out=' 'language=' 'dark' 'json' 'version' 'h/help'
            end
        case 'explain'
            __refresh-probe_parse_subcommand 1 'json' 'version' 'h/help'
        case 'help'
            __refresh-probe_parse_subcommand -r 1 'version'
        end
    end
end

function __refresh-probe_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __refresh-probe_parse_subcommand -S -a positional_count
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

function __refresh-probe_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __refresh-probe_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__refresh-probe_tokens -p)
    if test -z "$(__refresh-probe_tokens -t)"
        set -l index (count (__refresh-probe_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'refresh-probe' -f
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe" version' -l 'version' -d 'Show the version.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe" -eq 1' -fa 'run' -d 'Plays scenarios and reports which of them pass.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe" -eq 1' -fa 'conform' -d 'Tests, case by case, whether a server or a client conforms to docs/protocol.md.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe" -eq 1' -fa 'load' -d 'Runs a load test of one server, or of two at the same time, with recorded gestures.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe" -eq 1' -fa 'record' -d 'Stands between clients and a server, and records each connection in a journal.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe" -eq 1' -fa 'replay' -d 'Replays a recorded session and compares the output with the recorded one.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe" -eq 1' -fa 'new-scenario' -d 'Writes a scenario that repeats a recorded session.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe" -eq 1' -fa 'watch' -d 'Prints the events of the live sessions of a daemon.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe" -eq 1' -fa 'plot' -d 'Draws an indicator or a recorded session.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe" -eq 1' -fa 'explain' -d 'Explains a fault, a diagnostic or a close code, and what a client should do.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe run" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'scenario\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe run" url' -l 'url' -d 'Play against the daemon at this WebSocket URL, in real time.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe run" ca' -l 'ca' -d 'With wss: trust the certificate authorities in this PEM file instead of the system\'s.' -rfa '(set -l exts \'pem\' \'crt\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe run" json' -l 'json' -d 'Print one JSON object per line.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe run" verbose' -l 'verbose' -d 'Print every message of every phase.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe run" latency' -l 'latency' -d 'Without --url: the time after which a feed answers, in milliseconds.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe run" seed' -l 'seed' -d 'The seed for all random choices, instead of the seeds in the files.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe run" jobs' -l 'jobs' -d 'The number of scenarios that run at a time (default: 8 with --url, otherwise 1).' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe run" version' -l 'version' -d 'Show the version.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe run" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe conform" url' -l 'url' -d 'The server\'s WebSocket URL.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe conform" ca' -l 'ca' -d 'With wss: trust the certificate authorities in this PEM file instead of the system\'s.' -rfa '(set -l exts \'pem\' \'crt\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe conform" listen' -l 'listen' -d 'Be the server at this address, and test a client; port 0 selects a free port.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe conform" driver' -l 'driver' -d 'With --listen: the address for the driver (default: the same host, a free port).' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe conform"' -l 'case' -l 'only' -d 'Run only these cases; may be repeated.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe conform"' -l 'group' -d 'Run only these groups; may be repeated.' -rfka 'handshake session geometry pull loadMore paging unread patches live edits rows indicators insets physics faults limits resume batching ordering greeting batches strangers updates commands timelines views floors layers gestures items requests features patches live edits sections rows errors closing comeback liveness'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe conform"' -l 'cases' -d 'Run the cases of this file, GROUP.suite, instead of the built-in ones; may be repeated.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'suite\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe conform" list' -l 'list' -d 'Print the names of the cases and exit; with --json, as one array.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe conform" timeout' -l 'timeout' -d 'The maximum time for an expected reaction, in seconds.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe conform" jobs' -l 'jobs' -d 'With --url: the number of cases that run at the same time (default: 24).' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe conform" json' -l 'json' -d 'Print all cases with their verdicts and exchanges as one JSON array.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe conform" verbose' -l 'verbose' -d 'Print every message of every case.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe conform" junit' -l 'junit' -d 'Also write a JUnit XML report to this file.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'xml\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe conform" html' -l 'html' -d 'Also write an HTML page with every exchange to this file.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'html\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe conform" version' -l 'version' -d 'Show the version.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe conform" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load"' -l 'url' -d 'The server\'s WebSocket URL; may be repeated for the nodes of a cluster.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" pid' -l 'pid' -d 'The process ID of this server, to measure its CPU time and memory.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" against' -l 'against' -d 'Also test this server at the same time, and compare the two servers.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" against-pid' -l 'against-pid' -d 'The process ID of the server of --against.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" connections' -l 'connections' -d 'The number of clients for each server.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" threads' -l 'threads' -d 'The number of threads that generate the load (default: half the cores).' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" seconds' -l 'seconds' -d 'The duration of the measurement, in seconds.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" warm-up' -l 'warm-up' -d 'The duration of the test before the measurement begins, in seconds.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" ramp' -l 'ramp' -d 'The time over which clients connect, in seconds (default: 1 per 1000 clients).' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" closed' -l 'closed' -d 'Each client sends a message as soon as its last message was answered.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" reconnect' -l 'reconnect' -d 'Clients that lose their connection connect again and resume their sessions.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" rate' -l 'rate' -d 'Messages per second of each client, evenly spaced, instead of the recorded pace.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" speed' -l 'speed' -d 'The pace as a multiple of the recorded one (default: 1).' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" pause' -l 'pause' -d 'The mean time between the gestures of a client, in seconds (default: 2).' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load"' -l 'gesture' -d 'Use only the built-in gestures with this name, in which * matches any text; may be repeated.' -rfka 'cancelled.stream flick.stream fling-to-the-end.local fling-to-the-end.stream impatient.stream interrupted-by-a-tap.stream over-pull-and-return.stream pull-and-hold.stream reading.stream rotation.stream short-pull.stream slow-pull.local slow-pull.stream two-fingers.stream wheel.stream'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load"' -l 'trace' -d 'Use the gesture in this journal instead of the built-in ones; may be repeated.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'jsonl\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" list' -l 'list' -d 'Print the names of the gestures and exit; with --json, as one array.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" feed' -l 'feed' -d 'The feed of the views that the clients attach.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" token' -l 'token' -d 'The token that authenticates the clients.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" ca' -l 'ca' -d 'With wss: trust the certificate authorities in this PEM file instead of the system\'s.' -rfa '(set -l exts \'pem\' \'crt\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" seed' -l 'seed' -d 'The seed of the random choice of gestures, pauses and starts.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" json' -l 'json' -d 'Print one JSON object.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" version' -l 'version' -d 'Show the version.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe load" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe record" listen' -l 'listen' -d 'Listen at this address, such as 127.0.0.1:9000; port 0 selects a free port.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe record" forward' -l 'forward' -d 'The WebSocket URL of the server. Without a path, the path of the client is requested.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe record" journal' -l 'journal' -d 'Record in this new file, or in new files in this folder. The files of further connections have the number of the connection in their names.' -rF
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe record" ca' -l 'ca' -d 'With wss: trust the certificate authorities in this PEM file instead of the system\'s.' -rfa '(set -l exts \'pem\' \'crt\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe record" keep-tokens' -l 'keep-tokens' -d 'Record tokens, cookies and values in queries as they are, without masking them.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe record" json' -l 'json' -d 'At the end, print one JSON object.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe record" version' -l 'version' -d 'Show the version.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe record" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe replay" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'jsonl\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe replay" url' -l 'url' -d 'Replay over a connection to the server at this WebSocket URL.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe replay" ca' -l 'ca' -d 'With wss: trust the certificate authorities in this PEM file instead of the system\'s.' -rfa '(set -l exts \'pem\' \'crt\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe replay" speed' -l 'speed' -d 'With --url: the pace as a multiple of the recorded pace (default: 1); the value max sends without pauses.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe replay" timeout' -l 'timeout' -d 'With --url: the maximum time to wait for an output, in seconds (default: 5).' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe replay" token' -l 'token' -d 'With --url: the token of the client, if its `hello` had one.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe replay" context' -l 'context' -d 'The number of frames to show before the first difference, and also after it.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe replay" json' -l 'json' -d 'Print one JSON object.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe replay" version' -l 'version' -d 'Show the version.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe replay" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe new-scenario" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'jsonl\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe new-scenario" output' -l 'output' -d 'Write to this file instead of standard output. The name of a scenario begins with its category, such as session-NAME.scenario.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'scenario\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe new-scenario" token' -l 'token' -d 'The token of the client, if its `hello` had one. The scenario contains it.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe new-scenario" json' -l 'json' -d 'With --output: print one JSON object that describes the scenario.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe new-scenario" version' -l 'version' -d 'Show the version.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe new-scenario" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe watch" url' -l 'url' -d 'The WebSocket URL of a listener for operators, such as ws://127.0.0.1:9090.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe watch" session' -l 'session' -d 'Print only events of the session of this name.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe watch" feed' -l 'feed' -d 'Print only events of views of this feed.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe watch" token' -l 'token' -d 'A token that may `administer`; @FILE reads it from a file.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe watch" cluster' -l 'cluster' -d 'Print the events of all nodes of the cluster.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe watch" json' -l 'json' -d 'Print the events as received: one JSON object per line.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe watch" version' -l 'version' -d 'Show the version.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe watch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot" version' -l 'version' -d 'Show the version.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe plot" -eq 1' -fa 'sheet' -d 'Draws an indicator.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe plot" -eq 1' -fa 'session' -d 'Draws a recorded session.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe plot" -eq 1' -fa 'spinner' -d 'Draws the built-in indicator spinner.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe plot" -eq 1' -fa 'indicator' -d 'Draws the built-in indicator indicator.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe plot" -eq 1' -fa 'path' -d 'Draws the built-in indicator path.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe plot" -eq 1' -fa 'letters' -d 'Draws the built-in indicator letters.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe plot" -eq 1' -fa 'compass' -d 'Draws the built-in indicator compass.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe plot sheet" -eq 1' -fka '(__refresh-probe_custom_completion ---completion plot sheet -- positional@0 (count (__refresh-probe_tokens -pc)) (__refresh-probe_tokens -tC))'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot sheet" out' -l 'out' -d 'Write the picture to this file instead of standard output: FILE.svg or FILE.png.' -rfa '(set -l exts \'svg\' \'png\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot sheet" language' -l 'language' -d 'The language of the texts, a BCP 47 tag.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot sheet" dark' -l 'dark' -d 'Draw on a dark background.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot sheet" json' -l 'json' -d 'With --out: print one JSON object that describes the picture.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot sheet" version' -l 'version' -d 'Show the version.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot sheet" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe plot session" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'jsonl\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot session" out' -l 'out' -d 'Write to this file instead of standard output: FILE.svg, FILE.html or FILE.png.' -rfa '(set -l exts \'svg\' \'html\' \'png\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot session" width' -l 'width' -d 'The width of the picture in points, 480 to 10000.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot session" dark' -l 'dark' -d 'Draw on a dark background.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot session" json' -l 'json' -d 'With --out: print one JSON object that describes the picture.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot session" version' -l 'version' -d 'Show the version.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot session" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot spinner" out' -l 'out' -d 'Write the picture to this file instead of standard output: FILE.svg or FILE.png.' -rfa '(set -l exts \'svg\' \'png\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot spinner" language' -l 'language' -d 'The language of the texts, a BCP 47 tag.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot spinner" dark' -l 'dark' -d 'Draw on a dark background.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot spinner" json' -l 'json' -d 'With --out: print one JSON object that describes the picture.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot spinner" version' -l 'version' -d 'Show the version.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot spinner" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot indicator" out' -l 'out' -d 'Write the picture to this file instead of standard output: FILE.svg or FILE.png.' -rfa '(set -l exts \'svg\' \'png\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot indicator" language' -l 'language' -d 'The language of the texts, a BCP 47 tag.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot indicator" dark' -l 'dark' -d 'Draw on a dark background.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot indicator" json' -l 'json' -d 'With --out: print one JSON object that describes the picture.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot indicator" version' -l 'version' -d 'Show the version.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot indicator" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot path" out' -l 'out' -d 'Write the picture to this file instead of standard output: FILE.svg or FILE.png.' -rfa '(set -l exts \'svg\' \'png\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot path" language' -l 'language' -d 'The language of the texts, a BCP 47 tag.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot path" dark' -l 'dark' -d 'Draw on a dark background.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot path" json' -l 'json' -d 'With --out: print one JSON object that describes the picture.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot path" version' -l 'version' -d 'Show the version.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot path" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot letters" out' -l 'out' -d 'Write the picture to this file instead of standard output: FILE.svg or FILE.png.' -rfa '(set -l exts \'svg\' \'png\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot letters" language' -l 'language' -d 'The language of the texts, a BCP 47 tag.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot letters" dark' -l 'dark' -d 'Draw on a dark background.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot letters" json' -l 'json' -d 'With --out: print one JSON object that describes the picture.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot letters" version' -l 'version' -d 'Show the version.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot letters" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot compass" out' -l 'out' -d 'Write the picture to this file instead of standard output: FILE.svg or FILE.png.' -rfa '(set -l exts \'svg\' \'png\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot compass" language' -l 'language' -d 'The language of the texts, a BCP 47 tag.' -rfka ''
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot compass" dark' -l 'dark' -d 'Draw on a dark background.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot compass" json' -l 'json' -d 'With --out: print one JSON object that describes the picture.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot compass" version' -l 'version' -d 'Show the version.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe plot compass" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_positional "refresh-probe explain" -eq 1' -fka 'malformedJSON invalidText binaryFrame frameTooLarge depthExceeded stringTooLong numberOutOfRange duplicateField batchTooLong unknownType missingField invalidField valueOutOfRange helloRequired alreadyGreeted unsupportedProtocol unsupportedFrames helloTimeout unauthorized authUnavailable staleSequence staleGeneration unknownView viewExists tooManyViews unknownProfile unknownFeed forbiddenFeed unknownIndicator unknownParameter invalidParameter missingEdge invalidOption unknownLoad notClientBackend nothingToRetry backendUnavailable backendTimedOut backendSuspended backendRejected backendFailed backendUntrusted backendAnswerMalformed backendAnswerTooLarge backendBusy tooManyFaults tooManyFrames tooManyBytes slowClient idleClient sessionTaken tokenExpired tooManySessions outOfMemory draining unknownField unknownOption notConfigurable edgeDisabled intentLeftOut coolingDown alreadyLoading otherEdgeLoading nothingToLoad resumedOtherwise sequenceMissing contentMissing idleMissing springBackMissing 1000 1001 1002 1003 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 4001 4002 4003 4004 4005 4010 4011 4012 4100 4101 4102 4103 4104 4105 4200'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe explain" json' -l 'json' -d 'Print one JSON object per line.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe explain" version' -l 'version' -d 'Show the version.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe explain" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'refresh-probe' -n '__refresh-probe_should_offer_completions_for_flags_or_options "refresh-probe help" version' -l 'version' -d 'Show the version.'
