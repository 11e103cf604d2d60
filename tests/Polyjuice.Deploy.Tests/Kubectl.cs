using System.Collections.Concurrent;
using System.Diagnostics;
using YamlDotNet.Serialization;

namespace Polyjuice.Deploy.Tests;

/// <summary>Renders overlays as everybody does who deploys them.</summary>
internal static class Kubectl
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(5);
    private static readonly Lazy<string?> s_missing = new(() => Run(["version", "--client"], out _));

    /// <summary>Why there is none; <see langword="null"/> if there is.</summary>
    public static string? Missing =>
        s_missing.Value is { } error ? $"kubectl can't run ({error}). Install kubectl 1.30 or later." : null;

    private static readonly ConcurrentDictionary<string, Lazy<IReadOnlyList<JsonNode>>> s_rendered = new();

    /// <summary>The objects of an overlay, which is rendered once.</summary>
    public static IReadOnlyList<JsonNode> Render(string overlay) =>
        s_rendered.GetOrAdd(overlay, name => new(() => RenderNow(name))).Value;

    private static IReadOnlyList<JsonNode> RenderNow(string overlay)
    {
        if (Run(["kustomize", Path.Combine(Repository.Root, "deploy", "overlays", overlay)], out var yaml) is { } error)
            throw new InvalidOperationException($"kubectl kustomize: {error}");
        var read = new DeserializerBuilder().WithAttemptingUnquotedStringTypeDeserialization().Build();
        var write = new SerializerBuilder().JsonCompatible().Build();
        return [
            .. yaml.Split("\n---\n")
            .Select(document => JsonNode.Parse(write.Serialize(read.Deserialize<object>(document)))!)
        ];
    }

    private static string? Run(string[] arguments, out string output)
    {
        output = "";
        try
        {
            using var process =
                Process.Start(new ProcessStartInfo("kubectl", arguments)
                {
                    RedirectStandardOutput = true, RedirectStandardError = true
                })!;
            var errors = process.StandardError.ReadToEndAsync();
            var read = process.StandardOutput.ReadToEndAsync();
            if (!process.WaitForExit(s_timeout))
            {
                process.Kill(entireProcessTree: true);
                return $"it had not ended after {s_timeout}";
            }

            output = read.GetAwaiter().GetResult();
            return process.ExitCode == 0 ? null : errors.GetAwaiter().GetResult();
        }
        catch (System.ComponentModel.Win32Exception exception)
        {
            return exception.Message;
        }
    }
}

/// <summary>These tests need kubectl. Without it they are skipped, and in continuous integration they fail.</summary>
public sealed class RequiresKubectlAttribute : RequirementAttribute
{
    /// <inheritdoc/>
    public override string? Missing =>
        string.Equals(Environment.GetEnvironmentVariable("CI"), "true", StringComparison.OrdinalIgnoreCase)
            ? null
            : Kubectl.Missing;
}
