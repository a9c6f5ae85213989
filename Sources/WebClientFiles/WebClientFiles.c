#include "WebClientFiles.h"

/* Arrays of Swift would take the compiler half a minute. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t index_html[] = {
#embed "../../clients/web/index.html"
};

static const uint8_t gallery_html[] = {
#embed "../../clients/web/gallery.html"
};

static const uint8_t page_css[] = {
#embed "../../clients/web/page.css"
};

static const uint8_t gallery_css[] = {
#embed "../../clients/web/gallery.css"
};

static const uint8_t page_js[] = {
#embed "../../clients/web/page.js"
};

static const uint8_t gallery_js[] = {
#embed "../../clients/web/gallery.js"
};

static const uint8_t gallery_list_js[] = {
#embed "../../clients/web/gallery-list.js"
};

static const uint8_t delayed_socket_js[] = {
#embed "../../clients/web/delayed-socket.js"
};

static const uint8_t refresh_client_js[] = {
#embed "../../clients/web/refresh-client.js"
};

static const uint8_t view_js[] = {
#embed "../../clients/web/view.js"
};

static const uint8_t comeback_js[] = {
#embed "../../clients/web/comeback.js"
};

static const uint8_t outbox_js[] = {
#embed "../../clients/web/outbox.js"
};

static const uint8_t backoff_js[] = {
#embed "../../clients/web/backoff.js"
};

static const uint8_t edges_js[] = {
#embed "../../clients/web/edges.js"
};

static const uint8_t scroll_view_js[] = {
#embed "../../clients/web/scroll-view.js"
};

static const uint8_t hands_js[] = {
#embed "../../clients/web/hands.js"
};

static const uint8_t motion_js[] = {
#embed "../../clients/web/motion.js"
};

static const uint8_t trail_js[] = {
#embed "../../clients/web/trail.js"
};

static const uint8_t local_js[] = {
#embed "../../clients/web/local.js"
};

static const uint8_t stream_js[] = {
#embed "../../clients/web/stream.js"
};

static const uint8_t law_js[] = {
#embed "../../clients/web/law.js"
};

static const uint8_t grip_js[] = {
#embed "../../clients/web/grip.js"
};

static const uint8_t flight_js[] = {
#embed "../../clients/web/flight.js"
};

static const uint8_t pace_js[] = {
#embed "../../clients/web/pace.js"
};

static const uint8_t course_js[] = {
#embed "../../clients/web/course.js"
};

static const uint8_t teller_js[] = {
#embed "../../clients/web/teller.js"
};

static const uint8_t prediction_js[] = {
#embed "../../clients/web/prediction.js"
};

static const uint8_t painter_js[] = {
#embed "../../clients/web/painter.js"
};

static const uint8_t player_js[] = {
#embed "../../clients/web/player.js"
};

static const uint8_t programme_js[] = {
#embed "../../clients/web/programme.js"
};

static const uint8_t easing_js[] = {
#embed "../../clients/web/easing.js"
};

static const uint8_t drawing_js[] = {
#embed "../../clients/web/drawing.js"
};

static const uint8_t layers_js[] = {
#embed "../../clients/web/layers.js"
};

static const uint8_t path_data_js[] = {
#embed "../../clients/web/path-data.js"
};

static const uint8_t pictures_js[] = {
#embed "../../clients/web/pictures.js"
};

static const uint8_t spinner_js[] = {
#embed "../../clients/web/spinner.js"
};

static const uint8_t packages_json[] = {
#embed "../../clients/web/packages.json"
};

static const struct web_client_file site[] = {
	{"index.html", index_html, sizeof(index_html)},
	{"gallery.html", gallery_html, sizeof(gallery_html)},
	{"page.css", page_css, sizeof(page_css)},
	{"gallery.css", gallery_css, sizeof(gallery_css)},
	{"page.js", page_js, sizeof(page_js)},
	{"gallery.js", gallery_js, sizeof(gallery_js)},
	{"gallery-list.js", gallery_list_js, sizeof(gallery_list_js)},
	{"delayed-socket.js", delayed_socket_js, sizeof(delayed_socket_js)},
	{"refresh-client.js", refresh_client_js, sizeof(refresh_client_js)},
	{"view.js", view_js, sizeof(view_js)},
	{"comeback.js", comeback_js, sizeof(comeback_js)},
	{"outbox.js", outbox_js, sizeof(outbox_js)},
	{"backoff.js", backoff_js, sizeof(backoff_js)},
	{"edges.js", edges_js, sizeof(edges_js)},
	{"scroll-view.js", scroll_view_js, sizeof(scroll_view_js)},
	{"hands.js", hands_js, sizeof(hands_js)},
	{"motion.js", motion_js, sizeof(motion_js)},
	{"trail.js", trail_js, sizeof(trail_js)},
	{"local.js", local_js, sizeof(local_js)},
	{"stream.js", stream_js, sizeof(stream_js)},
	{"law.js", law_js, sizeof(law_js)},
	{"grip.js", grip_js, sizeof(grip_js)},
	{"flight.js", flight_js, sizeof(flight_js)},
	{"pace.js", pace_js, sizeof(pace_js)},
	{"course.js", course_js, sizeof(course_js)},
	{"teller.js", teller_js, sizeof(teller_js)},
	{"prediction.js", prediction_js, sizeof(prediction_js)},
	{"painter.js", painter_js, sizeof(painter_js)},
	{"player.js", player_js, sizeof(player_js)},
	{"programme.js", programme_js, sizeof(programme_js)},
	{"easing.js", easing_js, sizeof(easing_js)},
	{"drawing.js", drawing_js, sizeof(drawing_js)},
	{"layers.js", layers_js, sizeof(layers_js)},
	{"path-data.js", path_data_js, sizeof(path_data_js)},
	{"pictures.js", pictures_js, sizeof(pictures_js)},
	{"spinner.js", spinner_js, sizeof(spinner_js)},
};

size_t web_client_site_count(void) { return sizeof(site) / sizeof(site[0]); }

struct web_client_file web_client_site_at(size_t index) { return site[index]; }

struct web_client_file web_client_packages(void)
{
	return (struct web_client_file){"packages.json", packages_json, sizeof(packages_json)};
}
