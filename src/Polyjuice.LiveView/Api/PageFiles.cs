using System.Collections.Frozen;
using System.Reflection;
using System.Text;
using Microsoft.AspNetCore.Http;
using Polyjuice.LiveView.Access;

namespace Polyjuice.LiveView.Api;

/// <summary>The page's files, which are in the assembly.</summary>
internal static class PageFiles
{
    private const string Prefix = "page/";
    private const string PageName = "index.html";

    private static readonly FrozenDictionary<string, byte[]> _files = Load();

    /// <summary>The page's own text, in which <see cref="FirstPage"/> puts what there is.</summary>
    public static string Page { get; } = Encoding.UTF8.GetString(_files[PageName]);

    /// <summary>A file that the page asks for.</summary>
    public static Task GetFileAsync(HttpContext context) =>
        WriteAsync(context, (string)context.Request.RouteValues["file"]!);

    private static Task WriteAsync(HttpContext context, string name)
    {
        if (name == PageName || !_files.TryGetValue(name, out var content))
            return new Refusal(StatusCodes.Status404NotFound, "The live view has no such file.").WriteAsync(context);
        context.Response.ContentType = Path.GetExtension(name) switch
        {
            ".css" => "text/css; charset=utf-8",
            ".js" => "text/javascript; charset=utf-8",
            _ => "image/svg+xml",
        };
        return context.Response.Body.WriteAsync(content, context.RequestAborted).AsTask();
    }

    private static FrozenDictionary<string, byte[]> Load()
    {
        var assembly = Assembly.GetExecutingAssembly();
        return assembly.GetManifestResourceNames().Where(name => name.StartsWith(Prefix, StringComparison.Ordinal))
            .ToFrozenDictionary(name => name[Prefix.Length..], name =>
            {
                using var stream = assembly.GetManifestResourceStream(name)!;
                var content = new byte[stream.Length];
                stream.ReadExactly(content);
                return content;
            }, StringComparer.Ordinal);
    }
}
