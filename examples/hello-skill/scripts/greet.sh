#!/bin/sh
# Greets the person named as first argument.
printf 'Hello, %s!\n' "${1:-world}"
