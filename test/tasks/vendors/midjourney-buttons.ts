// The buttons under a drawing, as Midjourney's bot has them and its proxies pass them on.

const JOB = '82c51c9d-bc33-4c07-a471-36c3dcb1a6f0'

const button = (customId: string, label: string, emoji = '', style = 2) => ({ customId, emoji, label, style, type: 2 })
const ones = [1, 2, 3, 4]

const GRID = [
  ...ones.map((n) => button(`MJ::JOB::upsample::${n}::${JOB}`, `U${n}`)),
  button(`MJ::JOB::reroll::0::${JOB}::SOLO`, '', '🔄'),
  ...ones.map((n) => button(`MJ::JOB::variation::${n}::${JOB}`, `V${n}`)),
]

const SINGLE = [
  button(`MJ::JOB::upsample_v6_2x_subtle::1::${JOB}::SOLO`, 'Upscale (Subtle)', 'upscale_1'),
  button(`MJ::JOB::upsample_v6_2x_creative::1::${JOB}::SOLO`, 'Upscale (Creative)', 'upscale_1'),
  button(`MJ::JOB::low_variation::1::${JOB}::SOLO`, 'Vary (Subtle)', '🪄'),
  button(`MJ::JOB::high_variation::1::${JOB}::SOLO`, 'Vary (Strong)', '🪄'),
  button(`MJ::Inpaint::1::${JOB}::SOLO`, 'Vary (Region)', '🖌️'),
  button(`MJ::Outpaint::50::1::${JOB}::SOLO`, 'Zoom Out 2x', '🔍'),
  button(`MJ::Outpaint::75::1::${JOB}::SOLO`, 'Zoom Out 1.5x', '🔍'),
  button(`MJ::CustomZoom::${JOB}`, 'Custom Zoom', '🔍'),
  button(`MJ::JOB::pan_left::1::${JOB}::SOLO`, '', '⬅️', 1),
  button(`MJ::JOB::pan_right::1::${JOB}::SOLO`, '', '➡️', 1),
  button(`MJ::JOB::pan_up::1::${JOB}::SOLO`, '', '⬆️', 1),
  button(`MJ::JOB::pan_down::1::${JOB}::SOLO`, '', '⬇️', 1),
  button(`MJ::BOOKMARK::${JOB}`, '', '❤️'),
]

/** What may be done with a finished drawing. */
export function buttonsOf(action: string) {
  if (action === 'UPSCALE') return SINGLE
  if (action === 'DESCRIBE') return ones.map((n) => button(`MJ::Job::PicReader::${n}`, '', `${n}️⃣`))
  if (action === 'SHORTEN') return ones.map((n) => button(`MJ::Job::PromptAnalyzer::${n}`, '', `${n}️⃣`))
  return action === 'SWAP_FACE' ? [] : GRID
}
