#!/bin/sh
# A bot that reads prices, in POSIX shell with curl and sed. It pulls one job at a time, fetches the page, finds the
# product's price in it and hands it in, until there is nothing left to do.
#
#   FORAGER_URL=http://127.0.0.1:3001 FORAGER_BOT_ID=bot-002 FORAGER_BOT_KEY=fgr_… ./bot.sh
set -u
: "${FORAGER_URL:=http://127.0.0.1:3001}" "${FORAGER_BOT_ID:?must be set}" "${FORAGER_BOT_KEY:?must be set}"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# post PATH: sends the JSON on standard input; the answer lies in $work/answer, its status is printed.
# The key goes in by a file descriptor: in the arguments every user of the machine could read it.
# What fails in a way that may pass is sent again, after as long as Retry-After says.
post() {
  cat > "$work/request"
  printf 'header = "authorization: Bearer %s"\n' "$FORAGER_BOT_KEY" |
    curl --config - --silent --show-error --retry 8 --retry-connrefused --max-time 60 \
      --header 'content-type: application/json' --data-binary "@$work/request" \
      --output "$work/answer" --write-out '%{http_code}' "$FORAGER_URL/api/crawl/$1"
}

# field NAME: the value of a text of that name in the answer. URLs and numbers of locks have no quotes in them.
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$work/answer"; }

# quoted TEXT: as a string of JSON.
quoted() { printf '"%s"' "$(printf '%s' "$1" | tr -d '\000-\037' | sed 's/\\/\\\\/g; s/"/\\"/g')"; }

# submit REST: hands in under the number of the lock, so that nothing newer is ever overwritten.
submit() {
  status=$(printf '{"bot_id":%s,"job_id":"%s","lock_token":"%s",%s}' \
    "$(quoted "$FORAGER_BOT_ID")" "$job_id" "$lock_token" "$1" | post submit)
  if [ "$status" = 200 ]; then echo "$url: $(field status)"
  else echo "$url: refused, $(field code): $(field detail)" >&2; fi
}

# find PATTERN: the first match of it in the page.
find_in_page() { sed -n "s/.*$1.*/\1/p" "$work/page" | head -n 1; }

while :; do
  status=$(printf '{"bot_id":%s,"max_jobs":1}' "$(quoted "$FORAGER_BOT_ID")" | post pull)
  if [ "$status" != 200 ]; then
    echo "no jobs: $(field code): $(field detail)" >&2
    exit 1
  fi
  job_id=$(field job_id) lock_token=$(field lock_token) url=$(field url)
  [ -n "$job_id" ] || break

  page_status=$(curl --silent --location --max-redirs 5 --proto '=http,https' --proto-redir '=http,https' \
    --max-time 30 --max-filesize 8000000 --user-agent 'example-shell-bot/1.0 (+https://example.com/bot)' \
    --output "$work/page" --write-out '%{http_code}' -- "$url")
  if [ "$page_status" != 200 ]; then
    submit "\"success\":false,\"error_msg\":\"the page answered $page_status\""
    continue
  fi

  # schema.org as JSON-LD, or else woven into the page.
  price=$(find_in_page '"price":"\([0-9.]*\)"')
  currency=$(find_in_page '"priceCurrency":"\([A-Z]*\)"')
  [ -n "$price" ] || price=$(find_in_page 'itemprop="price" content="\([0-9.]*\)"')
  [ -n "$currency" ] || currency=$(find_in_page 'itemprop="priceCurrency" content="\([A-Z]*\)"')
  if [ -z "$price" ] || [ -z "$currency" ]; then
    submit '"success":false,"error_msg":"there is no price on the page"'
    continue
  fi
  in_stock=false
  if grep -q 'https://schema.org/InStock' "$work/page"; then in_stock=true; fi
  title=$(find_in_page '<h1[^>]*>\([^<]*\)<')
  submit "\"success\":true,\"price\":\"$price\",\"currency\":\"$currency\",\"in_stock\":$in_stock,\"title\":$(quoted "$title"),\"http_status\":200"
done
