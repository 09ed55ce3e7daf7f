// The handling of an answer after a client disconnect: the value of the setting, or of a channel.

export const HANG_UP_MODES = ['auto', 'finish', 'abort'] as const
