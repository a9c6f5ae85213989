.PHONY: build quick test lint format bench

build:  ; swift build -c release
quick:  ; scripts/test --quick
test:   ; scripts/test
lint:   ; scripts/test --only lint
format: ; swift format -i --recursive --parallel Sources Tests Benchmarks Package.swift
bench:  ; scripts/bench
