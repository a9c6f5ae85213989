#include "WebClientFiles.h"

/* C embeds the files, because the Swift compiler would take half a minute for such arrays. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t index_html[] = {
#embed "../../clients/web/index.html"
};

static const uint8_t gallery_html[] = {
#embed "../../clients/web/gallery.html"
};

static const uint8_t uploads_html[] = {
#embed "../../clients/web/uploads.html"
};

static const uint8_t chat_html[] = {
#embed "../../clients/web/chat.html"
};

static const uint8_t board_html[] = {
#embed "../../clients/web/board.html"
};

static const uint8_t log_html[] = {
#embed "../../clients/web/log.html"
};

static const uint8_t page_css[] = {
#embed "../../clients/web/page.css"
};

static const uint8_t pages_css[] = {
#embed "../../clients/web/pages.css"
};

static const uint8_t gallery_css[] = {
#embed "../../clients/web/gallery.css"
};

static const uint8_t uploads_css[] = {
#embed "../../clients/web/uploads.css"
};

static const uint8_t chat_css[] = {
#embed "../../clients/web/chat.css"
};

static const uint8_t board_css[] = {
#embed "../../clients/web/examples/board.css"
};

static const uint8_t log_css[] = {
#embed "../../clients/web/log.css"
};

static const uint8_t page_js[] = {
#embed "../../clients/web/page.js"
};

static const uint8_t uploads_js[] = {
#embed "../../clients/web/uploads.js"
};

static const uint8_t chat_js[] = {
#embed "../../clients/web/chat.js"
};

static const uint8_t board_js[] = {
#embed "../../clients/web/examples/board.js"
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

static const uint8_t connection_status_js[] = {
#embed "../../clients/web/connection-status.js"
};

static const uint8_t message_panel_js[] = {
#embed "../../clients/web/message-panel.js"
};

static const uint8_t list_patcher_js[] = {
#embed "../../clients/web/list-patcher.js"
};

static const uint8_t package_row_js[] = {
#embed "../../clients/web/package-row.js"
};

static const uint8_t place_keeper_js[] = {
#embed "../../clients/web/place-keeper.js"
};

static const uint8_t row_order_js[] = {
#embed "../../clients/web/row-order.js"
};

static const uint8_t core_js[] = {
#embed "../../clients/web/core.js"
};

static const uint8_t dom_js[] = {
#embed "../../clients/web/dom.js"
};

static const uint8_t detail_event_js[] = {
#embed "../../clients/web/detail-event.js"
};

static const uint8_t refresh_list_js[] = {
#embed "../../clients/web/refresh-list.js"
};

static const uint8_t element_js[] = {
#embed "../../clients/web/element.js"
};

static const uint8_t refresh_list_element_js[] = {
#embed "../../clients/web/refresh-list-element.js"
};

static const uint8_t list_display_js[] = {
#embed "../../clients/web/list-display.js"
};

static const uint8_t list_shadow_js[] = {
#embed "../../clients/web/list-shadow.js"
};

static const uint8_t row_template_js[] = {
#embed "../../clients/web/row-template.js"
};

static const uint8_t row_window_js[] = {
#embed "../../clients/web/row-window.js"
};

static const uint8_t refresh_client_js[] = {
#embed "../../clients/web/refresh-client.js"
};

static const uint8_t edits_js[] = {
#embed "../../clients/web/edits.js"
};

static const uint8_t view_js[] = {
#embed "../../clients/web/view.js"
};

static const uint8_t resume_state_js[] = {
#embed "../../clients/web/resume-state.js"
};

static const uint8_t outbox_js[] = {
#embed "../../clients/web/outbox.js"
};

static const uint8_t backoff_js[] = {
#embed "../../clients/web/backoff.js"
};

static const uint8_t heartbeat_js[] = {
#embed "../../clients/web/heartbeat.js"
};

static const uint8_t session_storage_js[] = {
#embed "../../clients/web/session-storage.js"
};

static const uint8_t features_js[] = {
#embed "../../clients/web/features.js"
};

static const uint8_t item_anchor_js[] = {
#embed "../../clients/web/item-anchor.js"
};

static const uint8_t edges_js[] = {
#embed "../../clients/web/edges.js"
};

static const uint8_t sections_js[] = {
#embed "../../clients/web/sections.js"
};

static const uint8_t scroll_view_js[] = {
#embed "../../clients/web/scroll-view.js"
};

static const uint8_t input_handler_js[] = {
#embed "../../clients/web/input-handler.js"
};

static const uint8_t list_layout_js[] = {
#embed "../../clients/web/list-layout.js"
};

static const uint8_t motion_js[] = {
#embed "../../clients/web/motion.js"
};

static const uint8_t velocity_tracker_js[] = {
#embed "../../clients/web/velocity-tracker.js"
};

static const uint8_t local_client_js[] = {
#embed "../../clients/web/local-client.js"
};

static const uint8_t stream_client_js[] = {
#embed "../../clients/web/stream-client.js"
};

static const uint8_t control_law_js[] = {
#embed "../../clients/web/control-law.js"
};

static const uint8_t drag_anchor_js[] = {
#embed "../../clients/web/drag-anchor.js"
};

static const uint8_t release_path_js[] = {
#embed "../../clients/web/release-path.js"
};

static const uint8_t scroll_speed_estimator_js[] = {
#embed "../../clients/web/scroll-speed-estimator.js"
};

static const uint8_t direction_tracker_js[] = {
#embed "../../clients/web/direction-tracker.js"
};

static const uint8_t sample_reporter_js[] = {
#embed "../../clients/web/sample-reporter.js"
};

static const uint8_t edge_display_js[] = {
#embed "../../clients/web/edge-display.js"
};

static const uint8_t prediction_js[] = {
#embed "../../clients/web/prediction.js"
};

static const uint8_t indicator_animators_js[] = {
#embed "../../clients/web/indicator-animators.js"
};

static const uint8_t indicator_animator_js[] = {
#embed "../../clients/web/indicator-animator.js"
};

static const uint8_t indicator_player_js[] = {
#embed "../../clients/web/indicator-player.js"
};

static const uint8_t programme_js[] = {
#embed "../../clients/web/programme.js"
};

static const uint8_t easing_js[] = {
#embed "../../clients/web/easing.js"
};

static const uint8_t indicator_renderer_js[] = {
#embed "../../clients/web/indicator-renderer.js"
};

static const uint8_t layer_tree_js[] = {
#embed "../../clients/web/layer-tree.js"
};

static const uint8_t path_data_js[] = {
#embed "../../clients/web/path-data.js"
};

static const uint8_t images_js[] = {
#embed "../../clients/web/images.js"
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
	{"uploads.html", uploads_html, sizeof(uploads_html)},
	{"chat.html", chat_html, sizeof(chat_html)},
	{"board.html", board_html, sizeof(board_html)},
	{"log.html", log_html, sizeof(log_html)},
	{"page.css", page_css, sizeof(page_css)},
	{"pages.css", pages_css, sizeof(pages_css)},
	{"gallery.css", gallery_css, sizeof(gallery_css)},
	{"uploads.css", uploads_css, sizeof(uploads_css)},
	{"chat.css", chat_css, sizeof(chat_css)},
	{"board.css", board_css, sizeof(board_css)},
	{"log.css", log_css, sizeof(log_css)},
	{"page.js", page_js, sizeof(page_js)},
	{"uploads.js", uploads_js, sizeof(uploads_js)},
	{"chat.js", chat_js, sizeof(chat_js)},
	{"board.js", board_js, sizeof(board_js)},
	{"gallery.js", gallery_js, sizeof(gallery_js)},
	{"gallery-list.js", gallery_list_js, sizeof(gallery_list_js)},
	{"delayed-socket.js", delayed_socket_js, sizeof(delayed_socket_js)},
	{"connection-status.js", connection_status_js, sizeof(connection_status_js)},
	{"message-panel.js", message_panel_js, sizeof(message_panel_js)},
	{"package-row.js", package_row_js, sizeof(package_row_js)},
	{"place-keeper.js", place_keeper_js, sizeof(place_keeper_js)},
	{"row-order.js", row_order_js, sizeof(row_order_js)},
	{"core.js", core_js, sizeof(core_js)},
	{"dom.js", dom_js, sizeof(dom_js)},
	{"detail-event.js", detail_event_js, sizeof(detail_event_js)},
	{"refresh-list.js", refresh_list_js, sizeof(refresh_list_js)},
	{"element.js", element_js, sizeof(element_js)},
	{"refresh-list-element.js", refresh_list_element_js, sizeof(refresh_list_element_js)},
	{"list-display.js", list_display_js, sizeof(list_display_js)},
	{"list-shadow.js", list_shadow_js, sizeof(list_shadow_js)},
	{"row-template.js", row_template_js, sizeof(row_template_js)},
	{"row-window.js", row_window_js, sizeof(row_window_js)},
	{"refresh-client.js", refresh_client_js, sizeof(refresh_client_js)},
	{"edits.js", edits_js, sizeof(edits_js)},
	{"view.js", view_js, sizeof(view_js)},
	{"resume-state.js", resume_state_js, sizeof(resume_state_js)},
	{"outbox.js", outbox_js, sizeof(outbox_js)},
	{"backoff.js", backoff_js, sizeof(backoff_js)},
	{"heartbeat.js", heartbeat_js, sizeof(heartbeat_js)},
	{"session-storage.js", session_storage_js, sizeof(session_storage_js)},
	{"features.js", features_js, sizeof(features_js)},
	{"item-anchor.js", item_anchor_js, sizeof(item_anchor_js)},
	{"edges.js", edges_js, sizeof(edges_js)},
	{"sections.js", sections_js, sizeof(sections_js)},
	{"scroll-view.js", scroll_view_js, sizeof(scroll_view_js)},
	{"input-handler.js", input_handler_js, sizeof(input_handler_js)},
	{"list-layout.js", list_layout_js, sizeof(list_layout_js)},
	{"list-patcher.js", list_patcher_js, sizeof(list_patcher_js)},
	{"motion.js", motion_js, sizeof(motion_js)},
	{"velocity-tracker.js", velocity_tracker_js, sizeof(velocity_tracker_js)},
	{"local-client.js", local_client_js, sizeof(local_client_js)},
	{"stream-client.js", stream_client_js, sizeof(stream_client_js)},
	{"control-law.js", control_law_js, sizeof(control_law_js)},
	{"drag-anchor.js", drag_anchor_js, sizeof(drag_anchor_js)},
	{"release-path.js", release_path_js, sizeof(release_path_js)},
	{"scroll-speed-estimator.js", scroll_speed_estimator_js, sizeof(scroll_speed_estimator_js)},
	{"direction-tracker.js", direction_tracker_js, sizeof(direction_tracker_js)},
	{"sample-reporter.js", sample_reporter_js, sizeof(sample_reporter_js)},
	{"edge-display.js", edge_display_js, sizeof(edge_display_js)},
	{"prediction.js", prediction_js, sizeof(prediction_js)},
	{"indicator-animators.js", indicator_animators_js, sizeof(indicator_animators_js)},
	{"indicator-animator.js", indicator_animator_js, sizeof(indicator_animator_js)},
	{"indicator-player.js", indicator_player_js, sizeof(indicator_player_js)},
	{"programme.js", programme_js, sizeof(programme_js)},
	{"easing.js", easing_js, sizeof(easing_js)},
	{"indicator-renderer.js", indicator_renderer_js, sizeof(indicator_renderer_js)},
	{"layer-tree.js", layer_tree_js, sizeof(layer_tree_js)},
	{"path-data.js", path_data_js, sizeof(path_data_js)},
	{"images.js", images_js, sizeof(images_js)},
	{"spinner.js", spinner_js, sizeof(spinner_js)},
};

size_t web_client_site_count(void) { return sizeof(site) / sizeof(site[0]); }

struct web_client_file web_client_site_at(size_t index) { return site[index]; }

struct web_client_file web_client_packages(void)
{
	return (struct web_client_file){"packages.json", packages_json, sizeof(packages_json)};
}
