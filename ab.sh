for i in 1 2 3; do for b in tidemark tm_new; do echo "$b $(/tmp/lead/$b bench --workload B1 --rows 1000000 --runs 7 2>&1 | grep '^B[12]' |head -1| tr -s ' ' | cut -c1-110 | tr '\n' ';')"; done; done
