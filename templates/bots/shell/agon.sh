# Reads agon's questions and writes the answers: a line of JSON each way, in plain sh. Debug with echo … >&2: standard output belongs to
# the answers.

# get KEY: sets $value to that part of the view. A text stands as it is in JSON (a line end is \n), a list as [1,2]; of a part within
# another one the first of that name is found.
get() {
  value=${line#*"\"$1\":"}
  case $value in
  '"'*)
    value=${value#'"'}
    value=${value%%'"'*}
    ;;
  '[['*) value=${value%%']]'*}]] ;;
  '['*) value=${value%%']'*}] ;;
  *) value=${value%%[,\}]*} ;;
  esac
}

# legal N: sets $action to the legal action with that number, from 0. Fails where there are not so many.
legal() {
  left=$actions
  number=$1
  while [ "$number" -gt 0 ]; do
    case $left in *'","'*) ;; *) return 1 ;; esac
    left=${left#*'","'}
    number=$((number - 1))
  done
  action=${left%%'","'*}
}

# is_legal ACTION: whether it is one of the legal actions.
is_legal() {
  case "\",\"$actions\",\"" in *"\",\"$1\",\""*) return 0 ;; *) return 1 ;; esac
}

# below N: sets $value to a whole number from 0 to N - 1: your own chance. A bot that takes its chance from nothing else plays the same
# again from the same seed.
seed=${AGON_SEED:-1}
below() {
  seed=$(((seed * 1103515245 + 12345) % 2147483648))
  value=$(((seed / 65536) % $1))
}

# play: answers each question with the $action that choose sets, until there are no more.
play() {
  while read -r line; do
    case $line in
    '{"type":"ask"'*)
      case $line in
      *'"legal":["'*)
        actions=${line##*'"legal":["'}
        actions=${actions%'"]'*}
        ;;
      *)
        # If legal is a shape, agon sends one example.
        actions=${line##*'"example":"'}
        actions=${actions%'"}'*}
        ;;
      esac
      count=1
      left=$actions
      while :; do
        case $left in *'","'*) ;; *) break ;; esac
        left=${left#*'","'}
        count=$((count + 1))
      done
      choose
      # The question's number shows which one is answered.
      asked=${line#*'"n":'}
      printf '{"action":"%s","n":%s}\n' "$action" "${asked%%,*}"
      ;;
    esac
  done
}
