.PHONY: build quick test lint format bench

build:  ; swift build -c release
quick:  ; scripts/test --quick
test:   ; scripts/test
lint:   ; scripts/test --only lint
# The files are formatted in batches, because swift format opens all its files at the same time.
format: ; git ls-files -z --cached --others --exclude-standard '*.swift' | xargs -0 -n 200 swift format -i --parallel
bench:  ; scripts/bench
