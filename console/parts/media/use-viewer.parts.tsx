import { definePreviews } from '../../parts-page/states.ts'
import { MediaButton } from './media-button.tsx'
import { useViewer } from './use-viewer.tsx'

const media = [{ key: '1', kind: 'words' as const, src: '', title: 'A weir', text: 'Water over stone' }]

function Opens() {
  const [open, viewer] = useViewer(media)
  return (
    <>
      <MediaButton media={media} onOpen={open} />
      {viewer}
    </>
  )
}

export const previews = definePreviews({ 'opened by a button': Opens })
