// The mark of a provider or of the maker of a model; the first letter of the name if it has none. It is decoration: the
// name is next to it.
import { UserAvatar } from './avatar.tsx'
import { type BrandMark, findModelMark, findProviderMark } from './brand-marks.ts'

export function ModelMark({ model, provider = '' }: { model: string; provider?: string }) {
  return <Mark mark={findModelMark(model) ?? findProviderMark(provider)} name={model} />
}

function Mark({ mark, name }: { mark: BrandMark | undefined; name: string }) {
  if (!mark) return <UserAvatar name={name} small />
  return <MarkPicture mark={mark} />
}

/** Renders nothing if the provider has no mark. */
export function ProviderMark({ id }: { id: string }) {
  const mark = findProviderMark(id)
  return mark ? <MarkPicture mark={mark} /> : null
}

const MarkPicture = ({ mark: { file, plain } }: { mark: BrandMark }) =>
  plain ? (
    <span aria-hidden="true" className="mark mark-plain" style={{ maskImage: `url("${file}")` }} />
  ) : (
    <img className="mark" src={file} alt="" width={16} height={16} loading="lazy" />
  )
