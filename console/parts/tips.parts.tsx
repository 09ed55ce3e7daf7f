import { LONG_TEXT, definePreviews } from '../parts-page/states.ts'

export const previews = definePreviews({
  'of what is pointed at': () => <span data-tip="More of it">point here</span>,
  'of what has the focus': () => (
    <button type="button" className="plain-button" data-tip={LONG_TEXT}>
      focus me
    </button>
  ),
})
