// The usage of one call, as its provider reported it or as it was estimated.

/**
 * Disjoint counts of one call: nothing is counted in two of the first five. Units: tokens. Counts that the format lacks
 * or did not report are undefined and count as 0.
 */
export interface Usage {
  /** Plain input: neither read from a cache nor written to one. */
  input: number
  cache_read: number
  /** Written to the provider's cache for 5 minutes or an unknown time. */
  cache_write: number
  cache_write_1h: number
  output: number
  /** Part of output: shown, never added. */
  reasoning: number
  /** Parts of input with separate prices. */
  audio_in?: number
  image_in?: number
  /** Parts of output. */
  audio_out?: number
  image_out?: number
  /** For speech synthesis: Unicode characters of the text. */
  characters?: number
  /** For transcription without reported tokens: the length of the audio. */
  seconds?: number
  /** For generated video without reported tokens: its length. */
  video_seconds?: number
  /**
   * Properties that determine the price of such a video: resolution (`1080p`) as its size, `sound` or `silent` as its
   * quality.
   */
  film?: { size?: string; quality?: string }
  /** Number of drawings and pieces of music, which are sold individually. */
  tasks?: number
  /** Generated images, if they are sold individually. */
  images?: { n: number; size?: string; quality?: string }
  /** Calls of the provider's hosted tools, by the names of the tool prices. */
  calls?: Record<string, number>
  /** The service tier that the provider reports: `flex`, `priority`, `batch` … */
  service_tier?: string
  /** The region in which the model ran, as reported or else as requested: `us`. */
  inference_geo?: string
  source: 'reported' | 'estimated'
  /** Basis of the estimate, if the usage was not reported. */
  estimated_by?: EstimatedBy
}

/**
 * By the length of the texts, by our own tokenizer, by the text of the answer after a report that came too early; for
 * audio by the length of the file, or by its size if its length cannot be read.
 */
export type EstimatedBy = 'text' | 'tokenizer' | 'answer_text' | 'sound_length' | 'sound_size'
