# shellcheck shell=bash
# Shared by the scripts in this folder and in release/, which source it.
#
# The comment at the head of a script is its help. The line of that comment that starts with the
# script's name declares the arguments:
#
#   scripts/NAME [--flag] [--seed N] [--report FILE] [--line 4.3|4.4] [--jdk HOME]... [WORD] [MORE...]
#
# N is a number from 1, HOME the home of a JDK, FILE and DIR are paths, A|B is a choice. Any other
# name takes any text. Dots mean that an option may be repeated, or that any number of words may follow.

self=$(realpath "$0")
root=${self%/scripts/*}

print_help() {
  awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$self"
}

wrong() { # the mistake
  printf '%s: %s; see --help\n' "${self##*/}" "$1" >&2
  exit 2
}

# Sets `value`.
check_value() { # option, kind, text
  value=$3
  case $2 in
    N) [[ $3 =~ ^[1-9][0-9]{0,17}$ ]] || wrong "$1 needs a number, not $3" ;;
    HOME)
      value=$(realpath -m "$3")
      [[ -x $value/bin/java ]] || wrong "$1: no JDK in $value"
      ;;
    FILE | DIR) value=$(realpath -m "$3") ;;
    *'|'*) [[ "|$2|" == *"|$3|"* ]] || wrong "$1 takes $2, not $3" ;;
  esac
}

# Sets a variable per option: `seed`, `flag` to yes, the array `jdks` for one that may be repeated;
# and the array `words`. Changes to the root of the repository.
take_arguments() { # arguments of the script
  local -A kinds=()
  local declared each name kind value most=0 i
  read -r -a declared < <(sed -n "s:^#   ${self#"$root"/}\( \|$\)::p" "$self")
  for ((i = 0; i < ${#declared[@]}; i++)); do
    each=${declared[i]}
    case $each in
      \[--*\]) kinds[${each:1:-1}]=flag ;;
      \[--*) kinds[${each:1}]=${declared[++i]/]/} ;;
      *...*) most=1000000 ;;
      *) most=$((most + 1)) ;;
    esac
  done

  words=()
  while [[ $# -gt 0 ]]; do
    name=${1#--}
    case $1 in
      --help)
        print_help
        exit
        ;;
      -*) kind=${kinds[$1]:-} ;;
      *) kind=word ;;
    esac
    case $kind in
      '') wrong "unknown option $1" ;;
      flag) declare -g "$name=yes" ;;
      word)
        [[ ${#words[@]} -lt $most ]] || wrong "unexpected argument $1"
        words+=("$1")
        ;;
      *)
        [[ $# -ge 2 ]] || wrong "$1 needs a value"
        check_value "$1" "${kind%...}" "$2"
        if [[ $kind == *... ]]; then
          local -n list=${name}s
          list+=("$value")
        else
          declare -g "$name=$value"
        fi
        shift
        ;;
    esac
    shift
  done
  cd "$root"
}

# Prints the home of the JDK that runs Maven.
java_home() {
  printf '%s' "${JAVA_HOME:-$(dirname "$(dirname "$(realpath "$(command -v java)")")")}"
}

# Prints the commit, and whether the working tree differs from it.
commit() {
  printf '%s%s' "$(git rev-parse --short HEAD)" "$(git diff --quiet HEAD || printf ' and changes')"
}

# Prints the version of the project, or that of another pom.xml.
version() { # file
  sed -n '/<version>/ { s:.*<version>\(.*\)</version>.*:\1:p; q }' "${1:-pom.xml}"
}
