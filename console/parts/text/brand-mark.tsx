// The mark of a provider or of the maker of a model; the first letter of the name if it has none. It is decoration: the
// name is next to it.
import sprite from 'virtual:brand-sprite'
import { UserAvatar } from './avatar.tsx'
import { findModelMark, findProviderMark } from './brand-marks.ts'

export function ModelMark({ model, provider = '' }: { model: string; provider?: string }) {
  return <Mark mark={findModelMark(model) ?? findProviderMark(provider)} name={model} />
}

function Mark({ mark, name }: { mark: string | undefined; name: string }) {
  if (!mark)
    return (
      <span className="mark-letter">
        <UserAvatar name={name} small />
      </span>
    )
  return <MarkPicture mark={mark} />
}

/** Renders nothing if the provider has no mark. */
export function ProviderMark({ id }: { id: string }) {
  const mark = findProviderMark(id)
  return mark ? <MarkPicture mark={mark} /> : null
}

/** A mark without colors is black, and white in the dark theme. */
const MarkPicture = ({ mark }: { mark: string }) => (
  <img
    className={mark.endsWith('-color') ? 'mark' : 'mark mark-plain'}
    src={`${sprite}#${mark}`}
    alt=""
    width={16}
    height={16}
  />
)
