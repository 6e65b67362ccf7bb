-- The deliveries of one webhook. Each game has a lane, in which its notices wait in order.
--
-- KEYS  1 lanes by the time when their first notice is due     2 what waits, <lane>/<number>/<notice>, in this order
--       3 documents by notice     4 notices by number     5 leases by lane, <token>:<expiry>     6 counts
--       7 the newest notices that were delivered     8 the newest ones that are parked
--       9 the newest changes of the webhook (requests.lua, which this script begins with)
-- ARGV  1 what to do
--       add      2 notice   3 lane   4 document   5 now   6 most that may wait
--       test     2 to 6 as for add; 7 request   8 digest of its content   9 how many requests are kept
--       take     2 now   3 expiry of the lease   4 most leases   5 token
--       settle   2 lane   3 notice   4 token   5 done, retry or park   6 document   7 when the lane is due next
--                8 how many are kept
--       replay   2 now   3 request   4 digest of its content   5 how many requests are kept   6 '1' to do nothing
--                unless there is one, then for each delivery: notice, lane, document
--
-- A lease has a token. A sender whose lease has expired, and was given to another one, changes nothing any more.

local due, lanes, docs, order = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local leases, counts, delivered, parked, asked = KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local what = ARGV[1]

local function first(lane)
  return redis.call('ZRANGEBYLEX', lanes, '[' .. lane .. '/', '(' .. lane .. '0', 'LIMIT', 0, 1)[1]
end

local function queue(notice, lane, document, now)
  local number = redis.call('HINCRBY', counts, 'number', 1)
  redis.call('HSET', docs, notice, document)
  redis.call('ZADD', order, number, notice)
  redis.call('ZADD', lanes, 0, lane .. '/' .. string.format('%015.0f', number) .. '/' .. notice)
  redis.call('ZADD', due, 'NX', now, lane)
  redis.call('HINCRBY', counts, 'pending', 1)
end

if what == 'add' or what == 'test' then
  local known = what == 'test' and first_answer(asked, ARGV[7], ARGV[8])
  if known then return known end
  if redis.call('HEXISTS', docs, ARGV[2]) == 1 then return 'known' end
  if tonumber(redis.call('HGET', counts, 'pending') or '0') >= tonumber(ARGV[6]) then
    redis.call('HINCRBY', counts, 'dropped', 1)
    return 'dropped'
  end
  queue(ARGV[2], ARGV[3], ARGV[4], ARGV[5])
  if what == 'test' then return answer(asked, ARGV[7], ARGV[8], ARGV[9], ARGV[2]) end
  return 'added'
elseif what == 'take' then
  local now, used, all = tonumber(ARGV[2]), 0, redis.call('HGETALL', leases)
  for i = 1, #all, 2 do
    if tonumber(string.match(all[i + 1], ':(%d+)$')) <= now then redis.call('HDEL', leases, all[i]) else used = used + 1 end
  end
  if used >= tonumber(ARGV[4]) then return false end
  for _, lane in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', now, 'LIMIT', 0, 8)) do
    local waiting = first(lane)
    if waiting then
      local notice = string.match(waiting, '/%d+/(.*)$')
      redis.call('HSET', leases, lane, ARGV[5] .. ':' .. ARGV[3])
      redis.call('ZADD', due, ARGV[3], lane)
      return {lane, notice, redis.call('HGET', docs, notice) or ''}
    end
    redis.call('ZREM', due, lane)
  end
  return false
elseif what == 'settle' then
  local lane, notice = ARGV[2], ARGV[3]
  local lease = redis.call('HGET', leases, lane)
  if not lease or string.match(lease, '^(.*):%d+$') ~= ARGV[4] then return 'lost' end
  redis.call('HDEL', leases, lane)
  if redis.call('HEXISTS', docs, notice) == 1 then redis.call('HSET', docs, notice, ARGV[6]) end
  if ARGV[5] ~= 'retry' then
    local waiting = first(lane)
    if waiting and string.match(waiting, '/%d+/(.*)$') == notice then
      redis.call('ZREM', lanes, waiting)
      redis.call('HINCRBY', counts, 'pending', -1)
    end
    local kept = ARGV[5] == 'done' and delivered or parked
    redis.call('LPUSH', kept, notice)
    while redis.call('LLEN', kept) > tonumber(ARGV[8]) do
      local old = redis.call('RPOP', kept)
      redis.call('HDEL', docs, old)
      redis.call('ZREM', order, old)
    end
  end
  if first(lane) then redis.call('ZADD', due, ARGV[7], lane) else redis.call('ZREM', due, lane) end
  return 'settled'
elseif what == 'replay' then
  local known, count = first_answer(asked, ARGV[3], ARGV[4]), 0
  if known then return known end
  for i = 7, #ARGV, 3 do
    local notice = ARGV[i]
    -- The oldest parked one comes first and is found at once, at the end of its list.
    if redis.call('LREM', parked, -1, notice) + redis.call('LREM', delivered, -1, notice) > 0 then
      queue(notice, ARGV[i + 1], ARGV[i + 2], ARGV[2])
      count = count + 1
    end
  end
  if count == 0 and ARGV[6] == '1' then return false end
  return answer(asked, ARGV[3], ARGV[4], ARGV[5], string.format('%.0f', count))
end
