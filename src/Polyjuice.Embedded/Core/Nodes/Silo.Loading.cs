namespace Polyjuice.Embedded.Core;

// Grains are activated for those who reserve their states.
internal sealed partial class Silo
{
    /// <inheritdoc/>
    public override ValueTask<bool> LoadGrainAsync(string grain)
    {
        var loaded = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        Loop.Post(
            static state =>
            {
                var (silo, grain, loaded) = ((Silo, string, TaskCompletionSource<bool>))state!;
                silo.Load(grain, loaded);
            },
            (this, grain, loaded));
        return new(loaded.Task);
    }

    // Not within the engine's own event: grains' constructors call the engine.
    private void Load(string grain, TaskCompletionSource<bool> loaded)
    {
        if (ServedActivationOf(grain) is { } activation) activation.Load(loaded);
        else loaded.SetResult(false);
    }
}
