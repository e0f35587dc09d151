-- Prints how playing went: each pause for lack of data, then why it ended and after how many
-- seconds of the programme (not its last position: that jumps at a discontinuity).
local has_begun = false
local last
local played = 0
mp.register_event("playback-restart", function() has_begun = true end)
mp.observe_property("time-pos", "number", function(_, value)
  if last and value and value > last and value < last + 2 then played = played + value - last end
  last = value
end)
mp.observe_property("paused-for-cache", "bool", function(_, paused)
  if has_begun and paused then print(string.format("stalled after %.1f", played)) end
end)
mp.register_event("end-file", function(event)
  print(string.format("%s after %.1f", event.reason, played))
end)
