import { LONG_WORD, definePreviews } from '../parts-page/states.ts'
import { Button } from '../semi.ts'
import { Copyable, CopyText, useCopy } from './copy.tsx'

function ByButton() {
  const [copy, dialog] = useCopy()
  return (
    <>
      <Button onClick={() => void copy('some text')}>Copy</Button>
      {dialog}
    </>
  )
}

export const previews = definePreviews({
  'a text': () => <Copyable text="req-1234" />,
  'shown shorter': () => <Copyable text={LONG_WORD} shown="bill…" />,
  'long text': () => <Copyable text={LONG_WORD.repeat(3)} />,
  'by a button': ByButton,
  'by itself': () => <CopyText text="sandbox-small" />,
})
