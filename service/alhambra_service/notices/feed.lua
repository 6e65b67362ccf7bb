-- Moves notices from a game into the feed of its tenant. The keys of one call are on one server.
--
-- ARGV  1 what to do
--       add    KEYS feed, number of the newest notice of the game, decisions with a deadline
--              2 the most notices in the feed     3 seconds that the number is kept
--              then for each notice: its number, its text, when its deadline is near (0 for never)
--       trim   KEYS notices of the game     2 the number up to which they are in the feed
--       near   KEYS decisions with a deadline, feed
--              2 the decision     3 the notice, '' for none     4 the most notices in the feed

local what = ARGV[1]
if what == 'add' then
  local last = tonumber(redis.call('GET', KEYS[2]) or '-1')
  for i = 4, #ARGV, 3 do
    local number = tonumber(ARGV[i])
    if number > last then
      redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 'n', ARGV[i + 1])
      if ARGV[i + 2] ~= '0' then redis.call('ZADD', KEYS[3], ARGV[i + 2], ARGV[i + 1]) end
      last = number
    end
  end
  redis.call('SET', KEYS[2], string.format('%.0f', last), 'EX', ARGV[3])
elseif what == 'trim' then
  while true do
    local first = redis.call('LINDEX', KEYS[1], 0)
    if not first or tonumber(string.match(first, '^%d+')) > tonumber(ARGV[2]) then break end
    redis.call('LPOP', KEYS[1])
  end
elseif what == 'near' then
  if redis.call('ZREM', KEYS[1], ARGV[2]) == 1 and ARGV[3] ~= '' then
    redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[4], '*', 'n', ARGV[3])
  end
end
return 'done'
