using System.ComponentModel.DataAnnotations;

namespace Polyjuice.LiveView;

/// <summary>
/// The live view's own web server, for processes that have none. It listens on the loopback interface and nowhere else.
/// The section <c>Polyjuice:LiveView:Server</c> of the configuration sets the options, and code after it.
/// </summary>
public sealed class LiveViewServerOptions
{
    /// <summary>The port that is used when none is named.</summary>
    internal const int DefaultPort = 5_080;

    /// <summary>
    /// The port. Default 5080; 0 to 65,535. 0 takes a free one, which the log names.
    /// </summary>
    [Range(0, 65_535)]
    public int Port { get; set; } = DefaultPort;
}
