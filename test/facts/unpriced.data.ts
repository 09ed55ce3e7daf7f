// Current models that have no built-in price for a reason.
export const sellsElsewhere: readonly { names: RegExp; reason: string }[] = [
  { names: /^lyria-/, reason: 'sold by the song or by the connection, which no table of prices can hold' },
  { names: /^(gemma|learnlm|gemini-(exp|flash-experimental))/, reason: 'free of charge at Google only, for trials' },
  { names: /^gpt-(live-transcribe|transcribe|realtime-(translate|whisper))$/, reason: 'sold by the second of a stream' },
  { names: /^gpt-oss-/, reason: 'open weights: each host has a price of its own' },
]
