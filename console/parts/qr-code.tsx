// A text as a QR code, dark on white in every theme: many cameras read nothing else.
import { QRCodeSVG } from 'qrcode.react'

interface Props {
  text: string
  /** What it is, for those who do not see it. */
  label: string
  /** In CSS pixels. */
  size?: number
}

export function QrCode({ text, label, size = 180 }: Props) {
  return (
    <QRCodeSVG
      value={text}
      size={size}
      title={label}
      marginSize={3}
      level="M"
      bgColor="#fff"
      fgColor="#000"
      role="img"
    />
  )
}
