# Matador: shields itself while the foe is loaded, by a coin where it fears a beam, and strikes in the moment the foe is empty.
rounds=0 foe=0 seed=${AGON_SEED:-1}
coin() { # true once in $1 times
  seed=$(((seed * 1103515245 + 12345) % 2147483648))
  [ $((seed / 65536 % $1)) -eq 0 ]
}
while read -r line; do
  case $line in
    I*) rounds=0 foe=0 ;;
    P0*) foe=$((foe + 1)) ;;
    P1*) foe=$((foe - 1)) ;;
    P2*) foe=$((foe - 2)) ;;
    F*)
      if [ $foe -eq 1 ]; then action=-
      elif [ $foe -gt 1 ]; then action==; if coin 2; then action=-; fi
      elif [ $rounds -gt 0 ] && coin 2; then action=1
      else action=0
      fi
      # Now and then it strikes at a loaded foe too, or two of its kind would shield for ever.
      if [ $rounds -gt 1 ] && coin 4; then action=2; fi
      case $action in 0) rounds=$((rounds + 1)) ;; 1) rounds=$((rounds - 1)) ;; 2) rounds=$((rounds - 2)) ;; esac
      echo $action
      ;;
  esac
done
