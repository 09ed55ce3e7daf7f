/** An address that others are put behind, as people type it: without the space around it and the slashes at its end. */
export const cleanBaseUrl = (typed: string): string => typed.trim().replace(/\/+$/, '')
