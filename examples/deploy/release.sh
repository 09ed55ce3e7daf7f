#!/bin/sh
# A release of the commit that is checked out, into FOLDER: the package (the same bytes each time), what is inside of it
# (CycloneDX), the pages of its commands in English and Chinese, and the checksums of these files, signed where WEIR_SIGNING_KEY names a key of ssh-keygen or gpg's WEIR_SIGNING_USER is set.
#
#   examples/deploy/release.sh FOLDER
#
# Whoever gets it:  sha256sum -c SHA256SUMS
#                   ssh-keygen -Y verify -f allowed_signers -I weir -n file -s SHA256SUMS.sig < SHA256SUMS
set -eu
folder=${1:?usage: release.sh FOLDER}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")/../.."

# Every file of the package is as old as its commit; npm writes the rest the same each time.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

npm ci --ignore-scripts >&2
npm rebuild sqlite3 esbuild >&2
# No release without the price of a current model.
npm run --silent facts:check >&2
rm -rf dist
npm run build >&2
package=$(npm pack --ignore-scripts --silent --pack-destination "$folder")

npx --yes @cyclonedx/cyclonedx-npm@6 --omit dev --output-reproducible --spec-version 1.6 \
  --output-file "$folder/${package%.tgz}.cdx.json" >&2

for language in en zh; do
  node bin/weir.js docs commands --language "$language" >"$folder/${package%.tgz}.commands.$language.md"
done

cd "$folder"
sha256sum "$package" "${package%.tgz}".cdx.json "${package%.tgz}".commands.*.md >SHA256SUMS
if [ -n "${WEIR_SIGNING_KEY:-}" ]; then
  rm -f SHA256SUMS.sig
  ssh-keygen -q -Y sign -n file -f "$WEIR_SIGNING_KEY" SHA256SUMS
elif [ -n "${WEIR_SIGNING_USER:-}" ]; then
  gpg --batch --yes --local-user "$WEIR_SIGNING_USER" --armor --detach-sign --output SHA256SUMS.asc SHA256SUMS
else
  echo 'SHA256SUMS is not signed: set WEIR_SIGNING_KEY or WEIR_SIGNING_USER.' >&2
fi
cat SHA256SUMS
