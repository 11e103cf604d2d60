using System.Globalization;
using System.Net;
using System.Text;

namespace Polyjuice.CommandLine;

/// <summary>A page that needs no other file, light or dark as the reader has it.</summary>
internal static class HtmlPage
{
    private const string Style =
        "body{font:15px/1.5 sans-serif;max-width:80em;margin:2em auto;padding:0 1em;color:#222;background:#fff}" +
        "table{border-collapse:collapse;font-size:12px;margin:.5em 0}" +
        "td,th{padding:.15em .5em;border:1px solid #ccc}.c{background:#f4b183;color:#222}.same{color:#999}" +
        "svg{max-width:100%;height:auto}.wide{overflow-x:auto}pre{font-size:12px}" +
        "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181a1b}" +
        "td,th{border-color:#444}.same{color:#777}}";

    /// <summary>Begins one.</summary>
    /// <param name="title">Its title and first heading, as plain text.</param>
    public static StringBuilder Begin(string title) => new StringBuilder().Append(
        CultureInfo.InvariantCulture,
        $"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        + $"<meta name=\"color-scheme\" content=\"light dark\"><title>{Text(title)}</title>"
        + $"<style>{Style}</style></head><body>\n<h1>{Text(title)}</h1>\n");

    /// <summary>Ends it.</summary>
    public static string End(StringBuilder html) => html.Append("</body></html>\n").ToString();

    /// <summary>Plain text within it.</summary>
    public static string Text(string text) => WebUtility.HtmlEncode(text);
}
