<?php
// Installs WordPress and fills it. Arguments: a JSON file with what is wanted, and the socket of the database.
// The last line of the output is a JSON list of the posts' addresses.
$asked = json_decode(file_get_contents($argv[1]), true);
$_SERVER['HTTP_HOST'] = $asked['host'];
$_SERVER['REQUEST_URI'] = '/';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
$_SERVER['REQUEST_METHOD'] = 'GET';
(new mysqli('localhost', 'root', '', '', 0, $argv[2]))->query("CREATE DATABASE {$asked['database']}");
define('WP_INSTALLING', true);
require ABSPATH . 'wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/image.php';
require_once ABSPATH . 'wp-admin/includes/taxonomy.php';
wp_install('Novice iz kraja', 'urednik', 'urednik@example.org', true, '', 'geslo');
wp_delete_post(1, true);
switch_theme($asked['theme']);
update_option('permalink_structure', $asked['permalinks']);
update_option('thread_comments', 1);
update_option('comments_per_page', 2);
update_option('page_comments', 1);
update_option('comment_moderation', 0);
update_option('default_comment_status', 'open');
global $wp_rewrite;
$wp_rewrite->init();
$wp_rewrite->flush_rules(false);

// The column that most blogs have: what WordPress calls widgets, in its own words.
$widgets = ['search', 'recent-posts', 'recent-comments', 'archives', 'calendar', 'categories', 'tag_cloud', 'meta'];
$bar = [];
foreach ($widgets as $widget) {
    update_option("widget_$widget", [1 => ['title' => '', 'count' => 1, 'number' => 5], '_multiwidget' => 1]);
    $bar[] = "$widget-1";
}
update_option('sidebars_widgets', ['sidebar-1' => $bar, 'wp_inactive_widgets' => []]);

function paragraphs(array $texts): string {
    return implode("\n\n", array_map(
        fn($text) => '<!-- wp:paragraph --><p>' . esc_html($text) . '</p><!-- /wp:paragraph -->', $texts));
}

$addresses = [];
$tags = ['reka', 'trg', 'šola', 'gozd', 'knjiga', 'vreme', 'cesta', 'most'];
foreach ($asked['posts'] as $post) {
    $at = $post['number'];
    $category = wp_create_category('Rubrika ' . ($at % 4 + 1));
    $id = wp_insert_post([
        'post_title' => $post['title'], 'post_content' => wp_slash(paragraphs($post['paragraphs'])),
        'post_name' => ($post['closed'] ? 'zaprto-' : '') . sanitize_title($post['slug']),
        'post_date' => $post['date'], 'post_date_gmt' => $post['date'],
        'post_status' => 'publish', 'post_author' => 1, 'post_category' => [$category],
        'tags_input' => [$tags[$at % 8], $tags[($at * 3 + 1) % 8]],
        // Every eighth is a page, as blogs have some.
        'post_type' => $at % 8 === 7 ? 'page' : 'post',
    ], true);
    if (is_wp_error($id)) { fwrite(STDERR, $id->get_error_message()); exit(1); }
    $parent = 0;
    foreach ($at % 3 ? $post['comments'] : [] as $number => $comment) {
        $parent = wp_insert_comment([
            'comment_post_ID' => $id, 'comment_author' => "Bralec $number", 'comment_content' => $comment,
            'comment_author_email' => "bralec$number@example.org", 'comment_parent' => $number === 2 ? 0 : $parent,
            'comment_approved' => 1, 'comment_date' => $post['date'], 'comment_type' => 'comment',
        ]);
    }
    if ($at % 12 === 0) {
        $file = wp_upload_dir()['path'] . "/slika-$at.png";
        $image = imagecreatetruecolor(40, 30);
        imagepng($image, $file);
        $attachment = wp_insert_attachment(
            ['post_mime_type' => 'image/png', 'post_title' => "slika-$at", 'post_status' => 'inherit'], $file, $id);
        wp_update_attachment_metadata($attachment, wp_generate_attachment_metadata($attachment, $file));
        wp_update_post(['ID' => $id, 'post_content' => wp_slash(paragraphs($post['paragraphs'])
            . "\n\n" . '<!-- wp:image --><figure class="wp-block-image"><a href="' . get_attachment_link($attachment)
            . '"><img src="' . wp_get_attachment_url($attachment) . '" alt=""/></a></figure><!-- /wp:image -->')]);
    }
    $addresses[] = get_permalink($id);
}
echo "\n", json_encode($addresses);
