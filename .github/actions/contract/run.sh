#!/usr/bin/env bash
# Runs the kit with the action's inputs and outputs its exit code. The script itself always succeeds, because the action
# uploads the reports before it fails.
set -uo pipefail
mkdir -p "$FOLDER"
arguments=()
[ -n "$BASE_URL" ] && arguments+=(--base-url "$BASE_URL")
[ -n "$TARGET" ] && arguments+=(--target "$TARGET")
[ -n "$CONTROL" ] && arguments+=(--control "$CONTROL")
# Splits at whitespace, without support for quotes.
read -r -a more <<<"$ARGUMENTS"
command=(npx --yes)
[ -n "$PACKAGE" ] && command+=(--package "$PACKAGE")
"${command[@]}" contract run "${arguments[@]}" ${more[@]+"${more[@]}"} --quiet \
  --json "$FOLDER/report.json" --html "$FOLDER/report.html" --junit "$FOLDER/junit.xml" \
  --sarif "$FOLDER/report.sarif" --markdown "$FOLDER/report.md" --badge "$FOLDER/badge.svg"
code=$?
echo "code=$code" >>"$GITHUB_OUTPUT"
[ -f "$FOLDER/report.md" ] && cat "$FOLDER/report.md" >>"$GITHUB_STEP_SUMMARY"
exit 0
