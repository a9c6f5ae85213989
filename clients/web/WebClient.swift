/// The files of this folder, embedded in the daemon, which serves them as its demo page.
package enum WebClient {
    /// What the demo page and the gallery consist of, by name.
    package static var site: [(name: String, body: [UInt8])] {
        [
            ("index.html", PackageResources.index_html),
            ("gallery.html", PackageResources.gallery_html),
            ("page.css", PackageResources.page_css),
            ("gallery.css", PackageResources.gallery_css),
            ("page.js", PackageResources.page_js),
            ("gallery.js", PackageResources.gallery_js),
            ("gallery-list.js", PackageResources.gallery_list_js),
            ("delayed-socket.js", PackageResources.delayed_socket_js),
            ("refresh-client.js", PackageResources.refresh_client_js),
            ("view.js", PackageResources.view_js),
            ("comeback.js", PackageResources.comeback_js),
            ("outbox.js", PackageResources.outbox_js),
            ("backoff.js", PackageResources.backoff_js),
            ("edges.js", PackageResources.edges_js),
            ("scroll-view.js", PackageResources.scroll_view_js),
            ("hands.js", PackageResources.hands_js),
            ("motion.js", PackageResources.motion_js),
            ("trail.js", PackageResources.trail_js),
            ("local.js", PackageResources.local_js),
            ("stream.js", PackageResources.stream_js),
            ("law.js", PackageResources.law_js),
            ("grip.js", PackageResources.grip_js),
            ("flight.js", PackageResources.flight_js),
            ("pace.js", PackageResources.pace_js),
            ("course.js", PackageResources.course_js),
            ("teller.js", PackageResources.teller_js),
            ("prediction.js", PackageResources.prediction_js),
            ("painter.js", PackageResources.painter_js),
            ("player.js", PackageResources.player_js),
            ("programme.js", PackageResources.programme_js),
            ("easing.js", PackageResources.easing_js),
            ("drawing.js", PackageResources.drawing_js),
            ("layers.js", PackageResources.layers_js),
            ("path-data.js", PackageResources.path_data_js),
            ("pictures.js", PackageResources.pictures_js),
            ("spinner.js", PackageResources.spinner_js),
        ]
    }
    /// Several hundred real Debian packages, for machines without dpkg.
    package static var packagesJSON: [UInt8] { PackageResources.packages_json }
}
