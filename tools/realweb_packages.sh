#!/bin/sh
# Debian's packages for `make realweb`, installed where they may be. No service of the system is started by it.
packages="nginx php-fpm php-cli php-sqlite3 php-gd mariadb-server-core wordpress mediawiki dokuwiki
  wordpress-theme-twentytwentyone wordpress-theme-twentytwentythree"

dpkg -s $packages >/dev/null 2>&1 && exit 0
skip="No WordPress, MediaWiki and DokuWiki: the crawl of a web that others wrote will be skipped."
command -v apt-get >/dev/null || { echo "$skip"; exit 0; }
root=""
if [ "$(id -u)" != 0 ]; then
  sudo -n true 2>/dev/null || { echo "$skip (Only root may install them.)"; exit 0; }
  root="sudo -n"
fi

# Packages ask this file whether they may start what they bring; where nobody has one, ours says no for now.
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  printf '#!/bin/sh\nexit 101\n' | $root tee $policy >/dev/null
  $root chmod +x $policy
  trap '$root rm -f $policy' EXIT
fi
$root apt-get update -q
$root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $packages || echo "$skip"
