// Whoever is typing means letters: no key is a shortcut then.

const TYPED_INTO = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=true]'

export const isTyping = ({ target }: Event): boolean => target instanceof Element && target.closest(TYPED_INTO) !== null
