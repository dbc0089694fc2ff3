# qkv.bash - completion for bash. Made by `qkv docs bash`; changes will be lost (make refresh).
_qkv_list() { qkv list "$1" 2>/dev/null | sed 's/  .*//'; }
_qkv_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_qkv_files() {
	mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	compopt -o filenames 2>/dev/null
}

# The words of one option, named $1.
_qkv_values() {
	case $1 in
	--causal) _qkv_words "on off" ;;
	--causal-align) _qkv_words "top-left bottom-right" ;;
	--pad) _qkv_words "none" ;;
	--pad-mask) _qkv_words "on off" ;;
	--window) _qkv_words "off" ;;
	--prefix) _qkv_words "off" ;;
	--documents) _qkv_words "off" ;;
	--hide) _qkv_words "none" ;;
	--keep) _qkv_words "none" ;;
	--mask) _qkv_files ;;
	--polarity) _qkv_words "auto hide keep" ;;
	--mask-invert) _qkv_words "on off" ;;
	--pad-axis) _qkv_words "key query both" ;;
	--transpose) _qkv_words "on off" ;;
	--scale) _qkv_words "sqrt none dk dmodel" ;;
	--d-model) _qkv_words "auto" ;;
	--softcap) _qkv_words "off" ;;
	--alibi) _qkv_words "off auto" ;;
	--bias) _qkv_files ;;
	--fill) _qkv_words "-inf min" ;;
	--fill-op) _qkv_words "replace add multiply" ;;
	--keep-value) _qkv_words "none" ;;
	--mask-at) _qkv_words "before after after-renorm" ;;
	--empty-row) _qkv_words "literal zero uniform" ;;
	--softmax) _qkv_words "row column" ;;
	--softmax-kind) _qkv_words "stable naive" ;;
	--dtype) _qkv_words "auto f64 f32 f16 bf16" ;;
	--score-dtype) _qkv_words "as-dtype f64 f32 f16 bf16" ;;
	--fill-dtype) _qkv_words "as-dtype f64 f32 f16 bf16" ;;
	--bug) _qkv_words "none $(_qkv_list --bugs)" ;;
	--seed) _qkv_words "auto" ;;
	--n) _qkv_words "auto" ;;
	--d-k) _qkv_words "auto" ;;
	--d-v) _qkv_words "auto" ;;
	--stage) _qkv_words "input scores scaled masked weights output joined" ;;
	--array) _qkv_words "q k v x w-q w-k w-v w-o scores weights" ;;
	--precision) _qkv_words "auto" ;;
	--theme) _qkv_words "auto dark light" ;;
	--color) _qkv_words "auto never 8 16 256 truecolor" ;;
	--range) _qkv_words "auto shown row log percentile" ;;
	--without) _qkv_words "none" ;;
	--labels) _qkv_words "raw read" ;;
	--lang) _qkv_words "auto" ;;
	--ascii) _qkv_words "on off" ;;
	--format) _qkv_words "table numpy csv json npy latex script worksheet worksheet-md worksheet-html text ansi svg html text json table csv json" ;;
	esac
}

_qkv() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} commands= list=--scenarios word
	COMPREPLY=()
	# bash takes --name=value for three words.
	if [[ $cur == = ]]; then
		cur=
		_qkv_values "$prev"
		return
	fi
	if [[ $prev == = ]]; then
		_qkv_values "${COMP_WORDS[COMP_CWORD - 2]}"
		return
	fi
	case $prev in
	-|--|--causal|--pad-mask|--mask-invert|--transpose|--ascii|--bf16|--resume|--speak|--check|--scenarios|--lessons|--bugs|--themes|--help|--version) ;;
	--*)
		_qkv_values "$prev"
		return ;;
	esac
	if [[ $cur == -* ]]; then
		_qkv_words "--live --text --model --at --ablate --padding --next --save --as --layout --bf16 --format --rows --cols --keys --size --expect --probe --repeats --std-d-k --pairs --resume --speak --check --scenarios --lessons --bugs --themes --help --version --causal --causal-align --causal-offset --pad --pad-mask --window --prefix --documents --hide --keep --mask --polarity --mask-invert --pad-axis --transpose --scale --d-model --scale-times --temperature --softcap --alibi --bias --fill --fill-op --keep-value --mask-at --empty-row --softmax --softmax-kind --softmax-times --dropout --dropout-seed --dtype --score-dtype --fill-dtype --bug --head --layer --batch --seed --n --d-k --d-v --stage --array --precision --theme --color --range --without --labels --lang --ascii --step"
		return
	fi
	_qkv_files
	((COMP_CWORD == 1)) && commands="show frame verify sweep lesson list info live help"
	[[ ${COMP_WORDS[1]} == lesson ]] && list=--lessons
	for word in $commands $(_qkv_list $list); do
		if [[ $word == "$cur"* ]]; then COMPREPLY+=("$word"); fi
	done
}
complete -F _qkv qkv
