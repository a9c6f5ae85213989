.PHONY: build quick test lint format bench

build:  ; swift build -c release
quick:  ; scripts/test --quick
test:   ; scripts/test
lint:   ; scripts/test --only lint
# In batches, because swift format opens every file at once.
format: ; git ls-files -z --cached --others --exclude-standard '*.swift' | xargs -0 -n 200 swift format -i --parallel
bench:  ; scripts/bench
