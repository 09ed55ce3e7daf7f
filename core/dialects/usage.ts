// What one call used, as its provider reported it or as it was estimated.

/**
 * Counts of one call, disjoint: nothing is counted in two of the first five. Units: tokens. What a format has no word
 * for, or did not report, is missing and counts as 0.
 */
export interface Usage {
  /** Plain input: neither read from a cache nor written to one. */
  input: number
  cache_read: number
  /** Written to the provider's cache for 5 minutes or an unsaid time. */
  cache_write: number
  cache_write_1h: number
  output: number
  /** Part of output: shown, never added. */
  reasoning: number
  /** Parts of input, priced apart. */
  audio_in?: number
  image_in?: number
  /** Parts of output. */
  audio_out?: number
  image_out?: number
  /** Of speech synthesis: Unicode characters of the text. */
  characters?: number
  /** Of transcription, where no tokens were reported: the length of the audio. */
  seconds?: number
  /** Of video that was made: its length, where no tokens were reported. */
  video_seconds?: number
  /** What of such a film makes its price: resolution (`1080p`) as its size, `sound` or `silent` as its quality. */
  film?: { size?: string; quality?: string }
  /** Drawings and pieces of music, sold one by one. */
  tasks?: number
  /** Images made, where they are sold by the piece. */
  images?: { n: number; size?: string; quality?: string }
  /** Calls of the provider's built-in tools, by the names of the tool prices. */
  calls?: Record<string, number>
  /** The tier that the provider says it served: `flex`, `priority`, `batch` … */
  service_tier?: string
  /** The place in which the model ran, as reported or else as asked for: `us`. */
  inference_geo?: string
  source: 'reported' | 'estimated'
  /** How it was found where it was not reported. */
  estimated_by?: EstimatedBy
}

/**
 * By the length of the texts, by our own tokenizer, by the text of the answer behind a report that came too early; of
 * sound by the length that its file has, or by the file's size where its length cannot be read.
 */
export type EstimatedBy = 'text' | 'tokenizer' | 'answer_text' | 'sound_length' | 'sound_size'
