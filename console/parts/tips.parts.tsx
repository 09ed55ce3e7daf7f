import { LONG, partStates } from '../parts-page/states.ts'

export const states = partStates({
  'of what is pointed at': () => <span data-tip="More of it">point here</span>,
  'of what has the focus': () => (
    <button type="button" className="plain-button" data-tip={LONG}>
      focus me
    </button>
  ),
})
