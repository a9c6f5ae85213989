#!/bin/bash

__refresh-probe_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__refresh-probe_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__refresh-probe_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__refresh-probe_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_refresh-probe() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __refresh-probe_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    run|conform|load|record|replay|new-scenario|watch|plot|explain|help)
        # Offer subcommand argument completions
        "_refresh-probe_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'run conform load record replay new-scenario watch plot explain help' -- "${cur}"))
        ;;
    esac
}

_refresh-probe_run() {
    repeating_flags=()
    non_repeating_flags=(--json --verbose --version -h --help)
    repeating_options=()
    non_repeating_options=(--url --ca --latency --seed --jobs)
    __refresh-probe_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--url')
        return
        ;;
    '--ca')
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(pem|crt)'
        return
        ;;
    '--latency')
        return
        ;;
    '--seed')
        return
        ;;
    '--jobs')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(scenario)'
        return
        ;;
    esac
}

_refresh-probe_conform() {
    repeating_flags=()
    non_repeating_flags=(--list --json --verbose --version -h --help)
    repeating_options=(--case --only --group --cases)
    non_repeating_options=(--url --ca --listen --driver --timeout --jobs --junit --html)
    __refresh-probe_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--url')
        return
        ;;
    '--ca')
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(pem|crt)'
        return
        ;;
    '--listen')
        return
        ;;
    '--driver')
        return
        ;;
    '--case'|'--only')
        return
        ;;
    '--group')
        __refresh-probe_add_completions -W 'handshake'$'\n''session'$'\n''geometry'$'\n''pull'$'\n''loadMore'$'\n''paging'$'\n''unread'$'\n''patches'$'\n''live'$'\n''edits'$'\n''rows'$'\n''indicators'$'\n''insets'$'\n''physics'$'\n''faults'$'\n''limits'$'\n''resume'$'\n''batching'$'\n''ordering'$'\n''greeting'$'\n''batches'$'\n''strangers'$'\n''updates'$'\n''commands'$'\n''timelines'$'\n''views'$'\n''floors'$'\n''layers'$'\n''gestures'$'\n''items'$'\n''requests'$'\n''features'$'\n''patches'$'\n''live'$'\n''edits'$'\n''sections'$'\n''rows'$'\n''errors'$'\n''closing'$'\n''comeback'$'\n''liveness'
        return
        ;;
    '--cases')
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(suite)'
        return
        ;;
    '--timeout')
        return
        ;;
    '--jobs')
        return
        ;;
    '--junit')
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(xml)'
        return
        ;;
    '--html')
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(html)'
        return
        ;;
    esac
}

_refresh-probe_load() {
    repeating_flags=()
    non_repeating_flags=(--closed --reconnect --list --json --version -h --help)
    repeating_options=(--url --gesture --trace)
    non_repeating_options=(--pid --against --against-pid --connections --threads --seconds --warm-up --ramp --rate --speed --pause --feed --token --ca --seed)
    __refresh-probe_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--url')
        return
        ;;
    '--pid')
        return
        ;;
    '--against')
        return
        ;;
    '--against-pid')
        return
        ;;
    '--connections')
        return
        ;;
    '--threads')
        return
        ;;
    '--seconds')
        return
        ;;
    '--warm-up')
        return
        ;;
    '--ramp')
        return
        ;;
    '--rate')
        return
        ;;
    '--speed')
        return
        ;;
    '--pause')
        return
        ;;
    '--gesture')
        __refresh-probe_add_completions -W 'cancelled.stream'$'\n''flick.stream'$'\n''fling-to-the-end.local'$'\n''fling-to-the-end.stream'$'\n''impatient.stream'$'\n''interrupted-by-a-tap.stream'$'\n''over-pull-and-return.stream'$'\n''pull-and-hold.stream'$'\n''reading.stream'$'\n''rotation.stream'$'\n''short-pull.stream'$'\n''slow-pull.local'$'\n''slow-pull.stream'$'\n''two-fingers.stream'$'\n''wheel.stream'
        return
        ;;
    '--trace')
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(jsonl)'
        return
        ;;
    '--feed')
        return
        ;;
    '--token')
        return
        ;;
    '--ca')
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(pem|crt)'
        return
        ;;
    '--seed')
        return
        ;;
    esac
}

_refresh-probe_record() {
    repeating_flags=()
    non_repeating_flags=(--keep-tokens --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--listen --forward --journal --ca)
    __refresh-probe_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--listen')
        return
        ;;
    '--forward')
        return
        ;;
    '--journal')
        __refresh-probe_add_completions -f
        return
        ;;
    '--ca')
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(pem|crt)'
        return
        ;;
    esac
}

_refresh-probe_replay() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--url --ca --speed --timeout --token --context)
    __refresh-probe_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--url')
        return
        ;;
    '--ca')
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(pem|crt)'
        return
        ;;
    '--speed')
        return
        ;;
    '--timeout')
        return
        ;;
    '--token')
        return
        ;;
    '--context')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(jsonl)'
        return
        ;;
    esac
}

_refresh-probe_new-scenario() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--output --token)
    __refresh-probe_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--output')
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(scenario)'
        return
        ;;
    '--token')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(jsonl)'
        return
        ;;
    esac
}

_refresh-probe_watch() {
    repeating_flags=()
    non_repeating_flags=(--cluster --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--url --session --feed --token)
    __refresh-probe_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--url')
        return
        ;;
    '--session')
        return
        ;;
    '--feed')
        return
        ;;
    '--token')
        return
        ;;
    esac
}

_refresh-probe_plot() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __refresh-probe_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    sheet|session|spinner|indicator|path|letters|compass)
        # Offer subcommand argument completions
        "_refresh-probe_plot_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'sheet session spinner indicator path letters compass' -- "${cur}"))
        ;;
    esac
}

_refresh-probe_plot_sheet() {
    repeating_flags=()
    non_repeating_flags=(--dark --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--out --language)
    __refresh-probe_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--out')
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(svg|png)'
        return
        ;;
    '--language')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __refresh-probe_add_completions -W "$(__refresh-probe_custom_complete ---completion plot sheet -- positional@0 "${COMP_CWORD}" "$(__refresh-probe_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_refresh-probe_plot_session() {
    repeating_flags=()
    non_repeating_flags=(--dark --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--out --width)
    __refresh-probe_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--out')
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(svg|html|png)'
        return
        ;;
    '--width')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(jsonl)'
        return
        ;;
    esac
}

_refresh-probe_plot_spinner() {
    repeating_flags=()
    non_repeating_flags=(--dark --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--out --language)
    __refresh-probe_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--out')
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(svg|png)'
        return
        ;;
    '--language')
        return
        ;;
    esac
}

_refresh-probe_plot_indicator() {
    repeating_flags=()
    non_repeating_flags=(--dark --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--out --language)
    __refresh-probe_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--out')
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(svg|png)'
        return
        ;;
    '--language')
        return
        ;;
    esac
}

_refresh-probe_plot_path() {
    repeating_flags=()
    non_repeating_flags=(--dark --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--out --language)
    __refresh-probe_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--out')
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(svg|png)'
        return
        ;;
    '--language')
        return
        ;;
    esac
}

_refresh-probe_plot_letters() {
    repeating_flags=()
    non_repeating_flags=(--dark --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--out --language)
    __refresh-probe_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--out')
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(svg|png)'
        return
        ;;
    '--language')
        return
        ;;
    esac
}

_refresh-probe_plot_compass() {
    repeating_flags=()
    non_repeating_flags=(--dark --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--out --language)
    __refresh-probe_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--out')
        __refresh-probe_add_completions -o plusdirs -fX '!*.@(svg|png)'
        return
        ;;
    '--language')
        return
        ;;
    esac
}

_refresh-probe_explain() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __refresh-probe_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __refresh-probe_add_completions -W 'malformedJSON'$'\n''invalidText'$'\n''binaryFrame'$'\n''frameTooLarge'$'\n''depthExceeded'$'\n''stringTooLong'$'\n''numberOutOfRange'$'\n''duplicateField'$'\n''batchTooLong'$'\n''unknownType'$'\n''missingField'$'\n''invalidField'$'\n''valueOutOfRange'$'\n''helloRequired'$'\n''alreadyGreeted'$'\n''unsupportedProtocol'$'\n''unsupportedFrames'$'\n''helloTimeout'$'\n''unauthorized'$'\n''authUnavailable'$'\n''staleSequence'$'\n''staleGeneration'$'\n''unknownView'$'\n''viewExists'$'\n''tooManyViews'$'\n''unknownProfile'$'\n''unknownFeed'$'\n''forbiddenFeed'$'\n''unknownIndicator'$'\n''unknownParameter'$'\n''invalidParameter'$'\n''missingEdge'$'\n''invalidOption'$'\n''unknownLoad'$'\n''notClientBackend'$'\n''nothingToRetry'$'\n''backendUnavailable'$'\n''backendTimedOut'$'\n''backendSuspended'$'\n''backendRejected'$'\n''backendFailed'$'\n''backendUntrusted'$'\n''backendAnswerMalformed'$'\n''backendAnswerTooLarge'$'\n''backendBusy'$'\n''tooManyFaults'$'\n''tooManyFrames'$'\n''tooManyBytes'$'\n''slowClient'$'\n''idleClient'$'\n''sessionTaken'$'\n''tokenExpired'$'\n''tooManySessions'$'\n''outOfMemory'$'\n''draining'$'\n''unknownField'$'\n''unknownOption'$'\n''notConfigurable'$'\n''edgeDisabled'$'\n''intentLeftOut'$'\n''coolingDown'$'\n''alreadyLoading'$'\n''otherEdgeLoading'$'\n''nothingToLoad'$'\n''resumedOtherwise'$'\n''sequenceMissing'$'\n''contentMissing'$'\n''idleMissing'$'\n''springBackMissing'$'\n''1000'$'\n''1001'$'\n''1002'$'\n''1003'$'\n''1005'$'\n''1006'$'\n''1007'$'\n''1008'$'\n''1009'$'\n''1010'$'\n''1011'$'\n''1012'$'\n''1013'$'\n''1014'$'\n''1015'$'\n''4001'$'\n''4002'$'\n''4003'$'\n''4004'$'\n''4005'$'\n''4010'$'\n''4011'$'\n''4012'$'\n''4100'$'\n''4101'$'\n''4102'$'\n''4103'$'\n''4104'$'\n''4105'$'\n''4200'
        return
        ;;
    esac
}

_refresh-probe_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __refresh-probe_offer_flags_options -1
}

complete -o filenames -F _refresh-probe refresh-probe
