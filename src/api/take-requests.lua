-- Takes one request under every rule, or under none if one of them has no room. Each rule has a list of the moments of
-- the requests in its window, oldest first, in microseconds of Redis' own clock: all processes share it.
-- KEYS: one list per rule. ARGV: for each rule its limit and its window in microseconds.
-- Answers 1 or 0, then for each rule how many are in its window and the microseconds until one more fits than now.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local allowed = 1
for i, key in ipairs(KEYS) do
  local limit, window = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local oldest = redis.call('LINDEX', key, 0)
  while oldest and tonumber(oldest) + window <= now do
    redis.call('LPOP', key)
    oldest = redis.call('LINDEX', key, 0)
  end
  if redis.call('LLEN', key) >= limit then allowed = 0 end
end
local answer = { allowed }
for i, key in ipairs(KEYS) do
  local limit, window = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  if allowed == 1 then
    redis.call('RPUSH', key, string.format('%.0f', now))
    redis.call('PEXPIRE', key, math.ceil(window / 1000))
  end
  local count = redis.call('LLEN', key)
  local moment = redis.call('LINDEX', key, math.max(0, count - limit))
  answer[2 * i] = count
  answer[2 * i + 1] = moment and (tonumber(moment) + window - now) or 0
end
return answer
