<?php
// Indexes the pages of a DokuWiki, makes an image for each page that shows one, and writes the sitemap.
$_SERVER['HTTP_HOST'] = $argv[1];
$_SERVER['SCRIPT_NAME'] = '/doku.php';
define('DOKU_INC', '/usr/share/dokuwiki/');
define('NOSESSION', 1);
define('DOKU_URL', "http://{$argv[1]}/");
require_once DOKU_INC . 'inc/init.php';
global $conf;
// Nobody is logged in here; visitors may read all of it.
$conf['useacl'] = 0;
$pages = [];
search($pages, $conf['datadir'], 'search_allpages', []);
foreach ($pages as $page) {
    idx_addPage($page['id'], false, true);
    if (preg_match('/slika_(\d+)[.]png/', rawWiki($page['id']), $found)) {
        imagepng(imagecreatetruecolor(40, 30), $conf['mediadir'] . '/' . $found[0]);
    }
}
\dokuwiki\Sitemap\Mapper::generate();
