// Fields in which keys are text: shortcuts are off there.

const TYPED_INTO = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=true]'

export const isTyping = ({ target }: Event): boolean => target instanceof Element && target.closest(TYPED_INTO) !== null
