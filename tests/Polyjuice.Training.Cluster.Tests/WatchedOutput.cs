namespace Polyjuice.Training.Cluster.Tests;

/// <summary>Output that does something when a line holds a text, once for each of some texts, in their order.</summary>
internal sealed class WatchedOutput(Action hear, params string[] texts) : StringWriter
{
    private int _heard;

    public override void WriteLine(string? value)
    {
        base.WriteLine(value);
        if (_heard == texts.Length || value?.Contains(texts[_heard], StringComparison.Ordinal) != true) return;
        _heard++;
        hear();
    }
}
