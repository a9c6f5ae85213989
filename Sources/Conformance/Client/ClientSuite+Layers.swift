internal import RefreshProtocol

/// Cases about layered indicators as `stream` clients draw them.
extension ClientSuite {
    static let layers = numberedCases(
        .layers,
        [
            Draft(
                "layers-as-attached",
                "An edge of a `stream` client has its `programme` in `attached`, and the "
                    + "first `frame`.",
                expects: "Each layer with its own values, except those of the frame.",
                at: "attached", needs: [.stream]
            ) { trial throws(TrialEnd) in
                try trial.openLayered()
                try trial.expectLayers(
                    "{ring: {opacity: 0.25, x: 3}, label: {text: Pull, opacity: 1}}")
            },
            Draft(
                "frame-merges", "`frame` has the changed properties of the layers.",
                expects:
                    "Each layer with every property that it received, each with its newest value.",
                at: "update", needs: [.stream]
            ) { trial throws(TrialEnd) in
                try trial.openLayered()
                try trial.sendUpdate(#""top":{"frame":{"ring":{"rotation":1.5,"y":-4}}}"#)
                try trial.sendUpdate(
                    #""top":{"frame":{"ring":{"opacity":0.75},"label":{"text":"Release"}}}"#)
                try trial.expectLayers(
                    "{ring: {opacity: 0.75, x: 3, y: -4, rotation: 1.5}, label: {text: Release}}"
                )
            },
            Draft(
                "frame-beside-state", "One update may have a frame and a state.",
                expects: "Both are shown; the other edge has no layers.", at: "update",
                needs: [.stream]
            ) { trial throws(TrialEnd) in
                try trial.openLayered()
                try trial.sendUpdate(
                    #""top":{"state":"pulling","progress":0.5,"frame":{"ring":{"scale":2}}}"#)
                try trial.expectLayers("{ring: {scale: 2, opacity: 0.25}}")
                try trial.expectShown("{edges: {top: {state: pulling}, bottom: {layers: absent}}}")
            },
            Draft(
                "programme-replaced", "An edge that receives another `programme` is drawn by it.",
                expects: "Only its layers, with their own values and those of its frame.",
                at: "enable-configure", needs: [.stream]
            ) { trial throws(TrialEnd) in
                try trial.openLayered()
                try trial.sendUpdate(
                    #""top":{"role":"refresh","indicator":"bar","programme":{"name":"bar","size":[60,60],"#
                        + #""layers":[{"name":"bar","box":{"width":20,"height":4,"corner":2},"opacity":0.5}]},"#
                        + #""frame":{"bar":{"y":7}}}"#)
                try trial.expectLayers("{bar: {opacity: 0.5, y: 7}, ring: absent, label: absent}")
            },
            Draft(
                "unknown-layer", "A client ignores unknown layers and properties of a frame.",
                expects: "The known layers, with their values.",
                at: "frames-batches-fields", needs: [.stream]
            ) { trial throws(TrialEnd) in
                try trial.openLayered()
                try trial.send(
                    ServerMessages.update(
                        #""top":{"frame":{"comet":{"opacity":1},"ring":{"opacity":0.5,"sparkle":1}}}"#
                    ),
                    isStrange: true)
                try trial.expectLayers("{ring: {opacity: 0.5}, comet: absent}")
            },
        ])
}

extension ClientTrial {
    /// Opens a `stream` client whose refresh edge has two layers.
    fileprivate func openLayered() throws(TrialEnd) {
        let programme =
            #","indicator":"disc","programme":{"name":"disc","size":[60,60],"layers":["#
            + #"{"name":"ring","box":{"width":40,"height":40,"corner":20},"x":3},"#
            + #"{"name":"label","text":"Pull","fontSize":15}]},"frame":{"ring":{"opacity":0.25}}"#
        try open(frames: "stream", attached: ServerMessages.attached(top: programme))
    }

    /// Checks the layers of the refresh edge.
    fileprivate func expectLayers(_ pattern: String) throws(TrialEnd) {
        try expectShown("{edges: {top: {layers: \(pattern)}}}")
    }
}
