using System.ComponentModel.DataAnnotations;

namespace Polyjuice.LiveView;

/// <summary>
/// Who may see the live view, and what they may do. The section <c>Polyjuice:LiveView</c> of the
/// configuration sets them, and code after it. Validated at start, with name, value and bounds.
/// </summary>
public sealed class LiveViewOptions
{
    /// <summary>What stands at the top of the page. Default "Polyjuice".</summary>
    [Required, StringLength(100, MinimumLength = 1)]
    public string Title { get; set; } = "Polyjuice";

    /// <summary>
    /// The name of the ASP.NET Core authorization policy that guards the view: who meets it sees the page from
    /// wherever, and may roll policies back. <see langword="null"/>, and so by default, the view is read-only and
    /// answers this machine alone. A name that the application has not registered is refused at start.
    /// </summary>
    public string? AuthorizationPolicy { get; set; }

    /// <summary>
    /// Pages that may follow what happens at a time; more are told to come back later. Default 32; 1 to 1,000.
    /// </summary>
    [Range(1, 1_000)]
    public int EventStreamsMax { get; set; } = 32;
}
