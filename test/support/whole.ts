/** Set `WEIR_WHOLE`, and what the suite samples is played whole: by hand, for it takes its time. */
export const WHOLE = process.env['WEIR_WHOLE'] !== undefined
