-- The newest changes of one webhook, in the list `asked`, newest first: <request> <digest of its content> <outcome>

local function first_answer(asked, request, digest)
  for _, known in ipairs(redis.call('LRANGE', asked, 0, -1)) do
    local id, content, outcome = string.match(known, '^(%S+) (%S+) (.*)$')
    if id == request then return {content == digest and 'again' or 'reused', outcome} end
  end
end

local function answer(asked, request, digest, kept, outcome)
  redis.call('LPUSH', asked, request .. ' ' .. digest .. ' ' .. outcome)
  redis.call('LTRIM', asked, 0, kept - 1)
  return {'done', outcome}
end

